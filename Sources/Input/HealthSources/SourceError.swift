import AppleExport
package import HealthLedger
internal import HealthModel

/// Why an input can't be read: every problem that was found, each with its place and a remedy.
package struct SourceError: Error, Hashable, Sendable {
  /// The kind of failure.
  package enum Code: String, Hashable, Sendable {
    /// No byte, or only blanks.
    case empty
    /// More bytes than `SourceDocument.maximumBytes`.
    case tooLarge
    /// A file of another kind, such as Apple's export.zip.
    case foreignFormat
    /// Bytes that are not JSON: a syntax error, invalid UTF-8, a number beyond a double.
    case notJSON
    /// JSON, but none of the inputs that are understood.
    case notRecognised
    /// The input is understood and breaks its rules.
    case invalid
    /// A temporary file could not be written or read.
    case spool
    /// A source that is to be preferred is not in the export.
    case unknownSource
    /// The reporting time zone that the caller gave is unknown.
    case unknownTimeZone
  }

  /// One thing that is wrong.
  package struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// JSON pointer (RFC 6901) into the input; empty for the whole of it.
    package let pointer: String
    /// What is wrong, as one clause without a full stop.
    package let message: String
    /// What to do next.
    package let remedy: LedgerError.Remedy

    package init(_ pointer: String, _ message: String, remedy: LedgerError.Remedy) {
      (self.pointer, self.message, self.remedy) = (pointer, message, remedy)
    }

    /// One line: pointer, message, remedy.
    package var description: String {
      pointer.isEmpty ? "\(message); \(remedy)" : "\(pointer): \(message); \(remedy)"
    }
  }

  package let code: Code
  /// In the input's order, at least one and at most `maximumProblems`.
  package let problems: [Problem]
  /// How many there are in all.
  package let problemCount: Int

  /// Most problems that one error spells out.
  package static let maximumProblems = 100

  package init(_ code: Code, _ message: String, at pointer: String = "", remedy: LedgerError.Remedy)
  {
    self.code = code
    self.problems = [Problem(pointer, message, remedy: remedy)]
    self.problemCount = 1
  }

  init(_ code: Code, _ list: ProblemList) {
    (self.code, self.problems, self.problemCount) = (code, list.problems, list.count)
  }
}

extension SourceError: CustomStringConvertible {
  /// One line for each problem, then how many more there are.
  package var description: String {
    var lines = problems.map(\.description)
    if problemCount > problems.count {
      lines.append("and \(problemCount - problems.count) more problems")
    }
    return lines.joined(separator: "\n")
  }
}

/// Collects problems, so that one run reports all of them; bounded in memory whatever the input.
struct ProblemList: Sendable {
  private(set) var problems: [SourceError.Problem] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  /// Whether further problems are counted and no more spelt out.
  var isFull: Bool { problems.count == SourceError.maximumProblems }

  mutating func add(
    _ pointer: @autoclosure () -> String, _ message: String, remedy: LedgerError.Remedy
  ) {
    count += 1
    if problems.count < SourceError.maximumProblems {
      problems.append(SourceError.Problem(pointer(), message, remedy: remedy))
    }
  }
}

extension LedgerError {
  /// An export that can't be read, or a temporary file that failed.
  init(_ error: ExportError) {
    if error.code == .spool {
      self.init(.storageUnavailable, error.message, remedy: .text(error.remedy))
      return
    }
    let name = error.path == "-" ? "the export on stdin" : error.path
    let place = error.entry.map { "\(name) (\($0))" } ?? name
    self.init(.invalidArguments, "\(place): \(error.message)", remedy: .text(error.remedy))
  }
}

/// Where in a JSON text a byte stands, for people (line, column) and for programs (pointer).
struct JSONPlace {
  let offset: Int
  /// One-based.
  let line: Int
  /// One-based, in bytes.
  let column: Int
  /// JSON pointer of the value that holds the byte, as far as the text before it says.
  let pointer: String

  init(offset: Int, in text: [UInt8]) {
    self.offset = offset
    let before = text[..<min(max(offset, 0), text.count)]
    line = 1 + before.count(where: { $0 == UInt8(ascii: "\n") })
    column = 1 + before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
    pointer = Self.pointer(of: before)
  }

  /// The parser's error with this place.
  func sourceError(_ error: JSONError) -> SourceError {
    SourceError(
      .notJSON,
      "the input is not valid JSON: \(error.reason) at byte \(offset) (line \(line), column \(column))",
      at: pointer,
      remedy: "correct the file there, or export it again if it was cut off")
  }

  private enum Frame {
    case object(name: String?)
    case array(index: Int)
  }

  /// Walks the text up to the byte and keeps the names and indices of what is still open.
  private static func pointer(of before: ArraySlice<UInt8>) -> String {
    var open: [Frame] = []
    var index = before.startIndex
    while index < before.endIndex {
      switch before[index] {
      case UInt8(ascii: "\""):
        let start = index + 1
        index = start
        while index < before.endIndex, before[index] != UInt8(ascii: "\"") {
          index += before[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        if case .object(nil) = open.last, index < before.endIndex {
          open[open.count - 1] = .object(
            name: String(decoding: before[start..<index], as: UTF8.self))
        }
      case UInt8(ascii: "{"): open.append(.object(name: nil))
      case UInt8(ascii: "["): open.append(.array(index: 0))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
      case UInt8(ascii: ","):
        switch open.popLast() {
        case .array(let element): open.append(.array(index: element + 1))
        case .object: open.append(.object(name: nil))
        case nil: break
        }
      default: break
      }
      index += 1
    }
    return open.map { frame in
      switch frame {
      case .object(let name): name.map { "/" + $0.pointerToken } ?? ""
      case .array(let index): "/\(index)"
      }
    }.joined()
  }
}

/// Finds the name that somebody probably meant.
package enum Suggestion {
  /// The nearest of `names`: one that differs by a few letters, or that begins or ends alike.
  package static func nearest(to word: String, among names: [String]) -> String? {
    let word = Array(word.prefix(64).lowercased().utf8)
    guard !word.isEmpty else { return nil }
    let best = names.map { (name: $0, distance: distance(word, Array($0.utf8))) }
      .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    if let best, best.distance <= max(1, min(word.count, best.name.utf8.count) / 3) {
      return best.name
    }
    guard word.count >= 3 else { return nil }
    return names.first { name in
      let name = Array(name.utf8)
      return name.starts(with: word) || word.starts(with: name)
        || name.reversed().starts(with: word.reversed())
    }
  }

  /// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var older: [Int] = []
    var old = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(row[j] + 1, old[j + 1] + 1, old[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, older[j - 1] + 1) }
        row.append(cost)
      }
      (older, old) = (old, row)
    }
    return old[b.count]
  }
}

/// Names that an input holds, each with its count: bounded in memory, and whole in words.
enum NamedCounts {
  /// Most names that are kept.
  private static let maximumNames = 1000
  /// The most characters of one.
  private static let longest = 64

  /// Counts a name's occurrences, as long as there is room for another name.
  static func count(_ count: Int, of name: String, in table: inout [String: Int]) {
    let name = String(name.prefix(longest))
    guard table[name] != nil || table.count < maximumNames else { return }
    table[name, default: 0] += count
  }

  /// All names with their counts.
  static func list(_ table: [String: Int], _ one: String, _ many: String) -> String {
    table.sorted { $0.key < $1.key }.map { name, count in
      "\(name) (\(count) \(count == 1 ? one : many))"
    }.joined(separator: ", ")
  }
}
