package import ArgumentParser
package import HealthLedger
package import HealthModel

/// Runs a command's body and turns its error into a message, a document and an exit code (R40).
package func reportingErrors(
  _ format: OutputFormat, _ body: () async throws(LedgerError) -> ExitCode
) async throws {
  try await reportingErrors(
    document: { error in
      guard format == .json else { return nil }
      return JSONValue.object(["error": error.document]).canonicalBytes + [UInt8(ascii: "\n")]
    }, body)
}

/// The same for commands with their own formats. If `document` returns nil, stdout stays empty.
package func reportingErrors(
  document: (LedgerError) -> [UInt8]?, _ body: () async throws(LedgerError) -> ExitCode
) async throws {
  let code: ExitCode
  do throws(LedgerError) {
    code = try await body()
  } catch {
    // What failed and what to do, on stderr; for programs also as a document on stdout.
    StandardStreams.say(error)
    if let document = document(error) { try? StandardStreams.write(document) }
    throw error.code.exitCode
  }
  if code != .success { throw code }
}

/// How results are written to stdout.
package enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  /// For people; may change.
  case text
  /// One JSON document; stable (docs/OUTPUT.md).
  case json
}

/// `--output`, the same for every command.
package struct OutputOptions: ParsableArguments {
  package init() {}

  @Option(name: [.short, .long], help: "How to print results: text or json.")
  package var output: OutputFormat = .text
}

extension JSONValue {
  package static func count(_ number: Int) -> JSONValue { .number(Double(number)) }
}
