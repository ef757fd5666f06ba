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

/// Writes whole lines to stdout in the order in which they were added, on a thread that may block.
///
/// A line is never cut short while the process lives. Lines wait in one buffer, so that many short
/// ones cost no more than their bytes.
final class OutputQueue: Sendable {
  private struct State {
    /// Lines that are not being written yet.
    var pending: [UInt8] = []
    /// Bytes that are being written.
    var inFlight = 0
    var isWriting = false
    var awaitingRoom: [CheckedContinuation<Void, Never>] = []
    var awaitingEnd: [CheckedContinuation<Void, Never>] = []

    var hasRoom: Bool { pending.count + inFlight <= OutputQueue.enough }
  }

  private let queue = DispatchQueue(label: "s3health.stdout")
  private let state = Mutex(State())

  /// With more unwritten bytes than this, no more input is read and no further call begins (R53).
  private static let enough = 4 << 20

  /// Adds a line after the earlier ones.
  func put(_ line: [UInt8]) {
    let begins = state.withLock { state in
      state.pending += line
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if begins { queue.async { self.writePending() } }
  }

  /// Returns when little is unwritten.
  func drained() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if !state.hasRoom { state.awaitingRoom.append(continuation) }
        return state.hasRoom
      }
      if isReady { continuation.resume() }
    }
  }

  /// Returns when nothing is unwritten.
  func flushed() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.isWriting { state.awaitingEnd.append(continuation) }
        return !state.isWriting
      }
      if isReady { continuation.resume() }
    }
  }

  /// Writes until nothing is pending.
  private func writePending() {
    while let bytes = next() {
      do throws(LedgerError) {
        try StandardStreams.write(bytes)
      } catch {
        // If nobody can receive the answers, there is no point in continuing.
        StandardStreams.say(error)
        _exit(error.code.exitCode.rawValue)
      }
    }
  }

  /// What to write next, after everything before it; nil if there is nothing.
  private func next() -> [UInt8]? {
    let (bytes, ready) = state.withLock { state in
      let bytes = state.pending
      (state.pending, state.inFlight) = ([], bytes.count)
      state.isWriting = !bytes.isEmpty
      var ready: [CheckedContinuation<Void, Never>] = []
      if state.hasRoom { swap(&ready, &state.awaitingRoom) }
      if bytes.isEmpty {
        ready += state.awaitingEnd
        state.awaitingEnd = []
      }
      return (bytes, ready)
    }
    for continuation in ready { continuation.resume() }
    return bytes.isEmpty ? nil : bytes
  }
}
