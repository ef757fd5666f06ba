import CommandLineKit
import Dispatch
import Foundation
import HealthLedger
import Synchronization

/// Reads stdin as bytes arrive, on a thread that may block.
struct StandardInput: Sendable {
  private let queue = DispatchQueue(label: "s3health.stdin")

  /// Some bytes; nil at the end of the input.
  func read() async throws(LedgerError) -> [UInt8]? {
    let result: Result<[UInt8]?, LedgerError> = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Self.readSome()) }
    }
    return try result.get()
  }

  private static func readSome() -> Result<[UInt8]?, LedgerError> {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = bytes.withUnsafeMutableBytes {
        Foundation.read(STDIN_FILENO, $0.baseAddress, $0.count)
      }
      if count > 0 { return .success(Array(bytes[..<count])) }
      if count == 0 { return .success(nil) }
      guard errno == EINTR else {
        return .failure(
          LedgerError(
            .invalidArguments, "stdin can't be read: \(String(cString: strerror(errno)))",
            remedy: "let the agent's program start the server, with a pipe as stdin"))
      }
    }
  }
}

/// Writes whole lines to stdout in the order in which they were added, on a thread that may block. A line
/// is never cut short while the process lives.
final class OutputQueue: Sendable {
  private let queue = DispatchQueue(label: "s3health.stdout")
  private let unwritten = Atomic(0)

  /// With more unwritten bytes than this, no more input is read and no further call begins (R53).
  private static let enough = 4 << 20
  /// What a line takes in memory beside its bytes, about.
  private static let perLine = 256

  /// Adds a line after the earlier ones.
  func put(_ line: [UInt8]) {
    let size = line.count + Self.perLine
    unwritten.add(size, ordering: .relaxed)
    queue.async { [self] in
      do throws(LedgerError) {
        try StandardStreams.write(line)
      } catch {
        // If nobody can receive the answers, there is no point in continuing.
        StandardStreams.say(error)
        _exit(error.code.exitCode.rawValue)
      }
      unwritten.subtract(size, ordering: .relaxed)
    }
  }

  /// Returns when little is unwritten.
  func drained() async {
    if unwritten.load(ordering: .relaxed) > Self.enough { await flushed() }
  }

  /// Returns when everything that was added is written.
  func flushed() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }
}
