import AppleExport
package import HealthLedger

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
