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
      let lines = lines(.standardOutput())
      if !lines.isEmpty { try StandardStreams.writeLine(lines.joined(separator: "\n")) }
    }
  }
}

/// A command that makes a result: its options, and a function. The rest is the same for all of them.
package protocol ResultCommand: AsyncParsableCommand {
  var output: OutputOptions { get }

  func result() async throws(LedgerError) -> any CommandResult
}

extension ResultCommand {
  package func run() async throws { try await printResult() }

  package func printResult() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let result = try await result()
      try result.print(output.output)
      return result.exitCode
    }
  }
}

extension Int {
  /// `1 day`, `1,234 days`.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    "\(grouped) \(self == 1 ? one : many ?? one + "s")"
  }
}
