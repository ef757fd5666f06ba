import Dispatch
import Foundation
import HealthLedger
import Synchronization

/// Writes whole lines to stdout in the order in which they were put, on a thread that may wait.
///
/// The order is that of `put`, and a line is never cut short while the process lives.
final class OutputQueue: Sendable {
  private struct State {
    var unwritten = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let queue = DispatchQueue(label: "s3health.stdout")
  private let state = Mutex(State())

  /// Bytes unwritten beyond which nothing more is read.
  private static let enough = 16 << 20

  /// Puts a line behind those put before.
  func put(_ line: [UInt8]) {
    state.withLock { $0.unwritten += line.count }
    queue.async {
      do throws(LedgerError) {
        try StandardStreams.write(line)
      } catch {
        // What can't be told to anybody is not worth going on with.
        StandardStreams.note(error.report)
        _exit(error.code.exitCode.rawValue)
      }
      self.wrote(line.count)
    }
  }

  /// Returns when little is unwritten.
  func drained() async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.unwritten <= Self.enough { return true }
        state.waiting.append(continuation)
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  /// Returns when everything put until now was written.
  func flushed() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }

  private func wrote(_ count: Int) {
    let ready = state.withLock { state in
      state.unwritten -= count
      guard state.unwritten <= Self.enough else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in ready { continuation.resume() }
  }
}
