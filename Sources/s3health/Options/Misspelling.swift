import ArgumentParser
import HealthSources

/// What was probably meant by a word of the command line that is unknown.
///
/// The parser suggests among the options of the command alone, which `--help` is none of, and
/// suggests no command.
struct Misspelling {
  /// The names of the program's commands.
  let commands: [String]

  /// The parser's message with a suggestion that fits.
  func corrected(_ message: String) -> String {
    let unknownOption = #/Unknown option '--([^']+)'(\. Did you mean '[^']*'\?)?/#
    if let match = message.firstMatch(of: unknownOption),
      let meant = Suggestion.nearest(to: String(match.1), among: ["help", "version"])
    {
      return message.replacingCharacters(
        match.range, "Unknown option '--\(match.1)'. Did you mean '--\(meant)'?")
    }
    if let match = message.firstMatch(of: #/Unexpected argument '([^' -]+)'/#),
      let meant = Suggestion.nearest(to: String(match.1), among: commands)
    {
      return message.replacingCharacters(match.range, "\(match.0). Did you mean '\(meant)'?")
    }
    return message
  }
}

extension String {
  fileprivate func replacingCharacters(_ range: Range<Index>, _ text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
