package import ArgumentParser
package import HealthLedger
import HealthModel

/// What a command found or did: a document for programs, which it encodes itself, and lines for people.
package protocol CommandResult {
  /// None to print nothing.
  func lines(_ terminal: Terminal) -> [String]

  /// Itself, if it is what the document has; else a `Document` that is made of it.
  var document: any Encodable { get }

  /// The document, as one line of JSON.
  func json() throws(LedgerError) -> [UInt8]

  /// Says on stderr what belongs to it, before it is printed.
  func remark(_ format: OutputFormat)

  /// 1 for findings, and the code of a failure where a part failed (R40).
  var exitCode: ExitCode { get }

  /// Whether nothing was found of what was asked for. Then a store without days is an error, and a
  /// person who does not exist.
  var isEmpty: Bool { get }
}

extension CommandResult where Self: Encodable {
  package var document: any Encodable { self }
}

extension CommandResult {
  package func json() throws(LedgerError) -> [UInt8] {
    try JSONValue(encoding: document).canonicalBytes
  }
  package func remark(_ format: OutputFormat) {}
  package var exitCode: ExitCode { .success }
  package var isEmpty: Bool { false }

  package func print(_ format: OutputFormat) throws(LedgerError) {
    remark(format)
    switch format {
    case .json: try StandardStreams.write(try json() + [UInt8(ascii: "\n")])
    case .text:
      let terminal = Terminal.standardOutput()
      let lines = lines(terminal)
      guard !lines.isEmpty else { return }
      try StandardStreams.writeLine(
        terminal.wrapped(lines.joined(separator: "\n").withGivenOptions))
    }
  }
}

/// A command: its options, and what it does. What it throws becomes a message, a document and an exit
/// code (R40).
package protocol ReportingCommand: AsyncParsableCommand {
  /// How an error is written to stdout.
  var format: OutputFormat { get }

  /// Starts logging, where the command has options that say how.
  func start()

  func perform() async throws(LedgerError) -> ExitCode
}

extension ReportingCommand {
  package var format: OutputFormat { .text }
  package func start() {}

  package func run() async throws {
    try await reportingErrors(format) { () async throws(LedgerError) in
      start()
      return try await perform()
    }
  }
}

/// A command with `--output`.
package protocol OutputCommand: ReportingCommand {
  var output: OutputOptions { get }
}

extension OutputCommand {
  package var format: OutputFormat { output.output }
}

package protocol ConfiguredCommand: ReportingCommand {
  var store: StoreOptions { get }
}

extension ConfiguredCommand {
  package func start() { Diagnostics.start(store) }
}

/// A command that makes a result: its options, and a function. The rest is the same for all of them.
package protocol ResultCommand: OutputCommand {
  func result() async throws(LedgerError) -> any CommandResult
}

extension ResultCommand {
  package func perform() async throws(LedgerError) -> ExitCode { try await printed() }

  package func printed() async throws(LedgerError) -> ExitCode {
    let result = try await result()
    try result.print(output.output)
    return result.exitCode
  }
}

extension Int {
  /// `1 day`, `1,234 days`.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    "\(grouped) \(self == 1 ? one : many ?? one + "s")"
  }
}
