// Texts for people that name commands of s3health.

extension String {
  /// This text, with the options by which the person chose the store and the person in each of its commands:
  /// without, they would be about other days. It can be said again.
  package var withGivenOptions: String {
    let given = Program.given
    return replacing(commandName) { match in
      let rest = self[match.range.upperBound...].prefix { !"`;\n".contains($0) }
      let options = Setting.repeated(in: match.1).filter {
        rest.firstRange(of: "\($0.flag) ") == nil
      }
      return String(match.0)
        + options.compactMap { setting in
          given[setting].map { " \(setting.flag) \($0.value.printable.quotedForShell)" }
        }.joined()
    }
  }

  /// These lines, of which those of prose are broken into lines of at most `width` columns: between words, and
  /// never within a command, which is to be copied. Rows of a table stay as they are.
  package func wrapped(to width: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.wrappedLine(to: width) }.joined(separator: "\n")
  }

  /// As one word of a shell.
  fileprivate var quotedForShell: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        let scalar = Unicode.Scalar(byte)
        return scalar.isASCII
          && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || "/:._-@%+=,~".unicodeScalars.contains(scalar))
      }
    return isPlain ? self : "'" + replacing("'", with: #"'\''"#) + "'"
  }
}

/// A command's name, of a group with that of the command in it.
private var commandName: Regex<(Substring, Substring)> {
  #/s3health ((?:config|export|people|raw|schedule) [a-z]+|[a-z]+)/#
}

/// What changes the style of the text after it.
private var style: Regex<Substring> { #/\u{1B}\[[0-9;]*m/# }

extension Setting {
  /// Those that decide what a command is about and that it has options for; none for other words.
  fileprivate static func repeated(in command: Substring) -> [Setting] {
    let store: [Setting] = [.store, .config, .endpointURL]
    return switch command {
    case "config set", "config unset", "schedule install": [.config]
    case "init": [.config, .endpointURL]
    case "raw add", "raw queue", "raw drop": [.config, .person]
    case "collect", "doctor", "get", "import", "ls", "mcp", "push", "put", "report", "runs",
      "status",
      "undo", "verify", "watch":
      store + [.person]
    default:
      switch command.prefix(while: { $0 != " " }) {
      case "people" where command != "people": store
      case "config" where command != "config", "export" where command != "export",
        "raw" where command != "raw":
        store + [.person]
      default: []
      }
    }
  }
}

extension Substring {
  fileprivate func wrappedLine(to width: Int) -> String {
    guard columns > width, let start = proseStart else { return String(self) }
    let indent = String(repeating: " ", count: start.column + (start.isLabelled ? 0 : 2))
    var lines: [String] = []
    var (line, isEmpty) = (String(self[..<start.index]), true)
    for piece in self[start.index...].unbreakable {
      if !isEmpty, line[...].columns + 1 + piece[...].columns > width {
        lines.append(line)
        (line, isEmpty) = (indent, true)
      }
      line += (isEmpty ? "" : " ") + piece
      isEmpty = false
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// How many columns a terminal needs, to which styles are nothing.
  private var columns: Int { replacing(style, with: "").count }

  /// Where the prose begins: behind a label such as `  do:     `, or one with a date, if there is one. Nil for
  /// the row of a table, whose columns go on.
  private var proseStart: (index: Index, column: Int, isLabelled: Bool)? {
    let text = firstIndex { $0 != " " } ?? endIndex
    guard let gap = self[text...].ranges(of: "  ").last else {
      return (text, self[..<text].count, false)
    }
    let start = self[gap.lowerBound...].firstIndex { $0 != " " } ?? endIndex
    let column = self[..<start].columns
    return column <= 21 ? (start, column, true) : nil
  }

  /// The words, but a command as one: its name, what follows it, and further arguments as far as they can be
  /// told from prose.
  private var unbreakable: [String] {
    var pieces: [String] = []
    var isOpen = false
    var (inCommand, last) = (0, "")
    for word in split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
      let isArgument =
        inCommand < 3 || word.hasPrefix("-") || last.hasPrefix("--")
        || word.contains { $0.isUppercase || $0.isNumber || "/'\"".contains($0) }
      if isOpen, isArgument, !pieces.isEmpty {
        pieces[pieces.count - 1] += " " + word
        inCommand += 1
      } else {
        isOpen = word.trimmingPrefix(while: { "`(".contains($0) }) == "s3health"
        inCommand = 0
        pieces.append(word)
      }
      if let end = word.last, ";,.:`)".contains(end) { isOpen = false }
      last = word
    }
    return pieces
  }
}
