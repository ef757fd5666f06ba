import ArgumentParser
import Foundation
import HealthLedger
import HealthModel

extension LedgerError.Code {
  /// The exit code of SPEC R40.
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

/// Exit code of a check that found something.
let foundSomething = ExitCode(1)

/// Runs a command's body and turns its error into a message, a document and an exit code (R40).
func reportingErrors(
  _ format: OutputFormat, _ body: () async throws(LedgerError) -> ExitCode
) async throws {
  try await reportingErrors(
    document: { error in
      guard format == .json else { return nil }
      return JSONValue.object(["error": error.document]).canonicalBytes + [UInt8(ascii: "\n")]
    }, body)
}

/// The same for formats of a command's own; `document` is nil where stdout stays empty.
func reportingErrors(
  document: (LedgerError) -> [UInt8]?, _ body: () async throws(LedgerError) -> ExitCode
) async throws {
  let code: ExitCode
  do throws(LedgerError) {
    code = try await body()
  } catch {
    // On stderr what failed and what to do; for programs also as a document on stdout.
    StandardStreams.say(error)
    if let document = document(error) { try? StandardStreams.write(document) }
    throw error.code.exitCode
  }
  if code != .success { throw code }
}

extension LedgerError {
  /// For people: what failed, on which object, by which rule, what to do next. Whatever names a
  /// file or key may bear, a line of this is a line of the program's own.
  var report: String {
    var lines = ["s3health: \(message.printable)"]
    lines += details.map { "  \($0.words.printable)" }
    if let key { lines.append("  object: \(key.printable)") }
    if let rule { lines.append("  rule:   \(rule) of SPEC.md") }
    if let remedy { lines.append("  do:     \(remedy.words.printable)") }
    return lines.joined(separator: "\n")
  }

  /// `code`, `message`, `retryable`, and `key`, `rule`, `remedy` where they are known.
  var document: JSONValue {
    var members: [String: JSONValue] = [
      "code": .string(code.rawValue),
      "message": .string(([message] + details.map(\.words)).joined(separator: "\n  ")),
      "retryable": .bool(isRetryable),
    ]
    if let key { members["key"] = .string(key) }
    if let rule { members["rule"] = .string(rule) }
    if let remedy { members["remedy"] = .string(remedy.words) }
    return .object(members)
  }
}

extension ReportingDay.Failure {
  /// The failure in the ledger's terms.
  var ledgerError: LedgerError {
    switch self {
    case .unknownTimeZone(let name):
      LedgerError(
        .invalidArguments, "the time zone database has no \"\(name)\"", rule: "R4",
        remedy: "use an IANA name such as Europe/Berlin (--timezone)")
    case .skippedDate(let date, let zone):
      LedgerError(
        .invalidArguments, "\(zone) skipped \(date): that day did not exist there", rule: "R4",
        remedy: "leave the date out, or name another zone")
    }
  }
}
