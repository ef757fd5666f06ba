import ArgumentParser
import Foundation
import HealthLedger
import HealthModel

/// Results go to stdout; progress and notes to stderr.
enum Console {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  static func write(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

  static func write(_ document: JSONValue) {
    FileHandle.standardOutput.write(Data(document.canonicalBytes + [UInt8(ascii: "\n")]))
  }

  static func note(_ text: String) {
    FileHandle.standardError.write(Data((text.printable + "\n").utf8))
  }

  /// Replaces the line of progress, on a terminal alone; an empty text removes it.
  static func progress(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text.printable)".utf8))
  }

  /// Runs a command's body, and turns its error into a message, a document and an exit code (R40).
  static func reporting(
    _ format: Format, _ body: () async throws(LedgerError) -> ExitCode
  ) async throws {
    let code: ExitCode
    do throws(LedgerError) {
      code = try await body()
    } catch {
      progress("")
      note("error: \(error.message)" + (error.key.map { " (\($0))" } ?? ""))
      if let remedy = error.remedy { note("remedy: \(remedy)") }
      if format == .json {
        write(
          .object([
            "error": .object([
              "code": .string(error.code.rawValue), "message": .string(error.message.printable),
            ])
          ]))
      }
      throw error.code.exitCode
    }
    if code != .success { throw code }
  }
}

extension LedgerError.Code {
  /// As R40 has them.
  var exitCode: ExitCode {
    switch self {
    case .invalidArguments: ExitCode(64)
    case .dataNotFound: ExitCode(66)
    case .storageUnavailable: ExitCode(69)
    case .internal: ExitCode(70)
    case .notAuthorized: ExitCode(77)
    }
  }
}

extension String {
  /// Without what a terminal would obey.
  var printable: String {
    spellingOut { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }
}

extension Int {
  /// `12,345`.
  var grouped: String {
    var digits = Array(String(magnitude))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: place)
      place -= 3
    }
    return (self < 0 ? "-" : "") + String(digits)
  }
}
