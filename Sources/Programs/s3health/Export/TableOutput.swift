import CommandLineKit
import HealthLedger

/// Where a table goes: stdout as it is made, or a file that is there whole or not at all.
final class TableOutput {
  private let file: PrivateFile?
  private var pending: [UInt8] = []
  private var failure: LedgerError?

  /// Bytes that are gathered before they are written to stdout.
  private static let blockSize = 1 << 20

  /// - Parameter path: nil or `-` for stdout.
  init(_ path: String?) throws(LedgerError) {
    file = if let path, path != "-" { try PrivateFile(path, for: "the table") } else { nil }
  }

  /// Takes the next bytes; a failure to write them shows in `finish`.
  func write(_ bytes: [UInt8]) {
    pending += bytes
    guard file == nil, pending.count >= Self.blockSize, failure == nil else { return }
    do throws(LedgerError) {
      try StandardStreams.write(pending)
    } catch {
      failure = error
    }
    pending = []
  }

  /// Ends the table.
  func finish() throws(LedgerError) {
    if let failure { throw failure }
    if let file {
      try file.replace(with: pending)
      StandardStreams.remark("s3health: wrote \(file.path)")
    } else {
      try StandardStreams.write(pending)
    }
  }
}
