import ArgumentParser
import HealthSources

/// The probable correction of an unknown word on the command line.
///
/// The parser suggests only options of the command itself, which do not include `--help`, and no
/// commands.
package struct Misspelling {
  /// The commands that are allowed at this point, and their subcommands, such as `raw` and `raw add`.
  package let commands: [String]
  /// What was given.
  package let arguments: [String]

  package init(commands: [String], in arguments: [String]) {
    (self.commands, self.arguments) = (commands, arguments)
  }

  /// The parser's message with a matching suggestion.
  package func corrected(_ message: String) -> String {
    let unknownOption = #/Unknown option '--([^']+)'(?:\. Did you mean '--([^']*)'\?)?/#
    if let match = message.firstMatch(of: unknownOption) {
      // The parser finds any short option near, such as --yes for --last.
      let options = ["help", "version"] + (match.2.map { [String($0)] } ?? [])
      let meant = Suggestion.nearest(to: String(match.1), among: options)
      return message.replacingCharacters(
        match.range,
        "Unknown option '--\(match.1)'" + (meant.map { ". Did you mean '--\($0)'?" } ?? ""))
    }
    // What follows an unknown command is unexpected, too.
    let unexpected =
      #/(?:Unexpected argument|[0-9]+ unexpected arguments:) '([^' -]+)'(?:, '[^']*')*/#
    if let match = message.firstMatch(of: unexpected), !commands.isEmpty {
      let meant =
        Suggestion.nearest(
          to: String(match.1), among: commands.filter { !$0.utf8.contains(UInt8(ascii: " ")) })
        ?? commands.first(where: { $0.hasSuffix(" \(match.1)") })
      return message.replacingCharacters(
        match.range,
        "Unknown command '\(match.1)'" + (meant.map { ". Did you mean '\($0)'?" } ?? ""))
    }
    if let match = message.firstMatch(of: #/Unexpected argument '([^']+)'/#),
      let place = arguments.firstIndex(of: String(match.1)), place > 0,
      [arguments[place - 1], arguments[place]].allSatisfy({ DayArgument(argument: $0).isDay })
    {
      let range = "\(arguments[place - 1])..\(match.1)"
      return message.replacingCharacters(match.range, "\(match.0). Did you mean '\(range)'?")
    }
    return message
  }
}

extension String {
  fileprivate func replacingCharacters(_ range: Range<Index>, _ text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
