import Dispatch
import Foundation
import HealthLedger

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
