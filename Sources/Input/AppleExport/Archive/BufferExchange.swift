import Dispatch
import Synchronization

/// Buffers that go back and forth between the thread that unpacks and the one that scans.
final class BufferExchange: Sendable {
  /// Raw memory, because zlib fills it on one thread while the other scans the one before.
  ///
  /// `@unchecked`: a buffer belongs to one side at a time.
  struct Buffer: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
  }

  struct Full: Sendable {
    var buffer: Buffer
    var count: Int
    /// Packed bytes read when it was filled.
    var packedBytes: Int64
  }

  private struct State {
    var empty: [Buffer]
    var full: [Full] = []
    var outcome: Result<Void, ExportError>?
    var isAbandoned = false
  }

  private let buffers: [Buffer]
  private let state: Mutex<State>
  /// Rings for each empty buffer, and when nobody takes full ones any more.
  private let hasEmpty = DispatchSemaphore(value: 0)
  /// Rings for each full buffer, and at the end.
  private let hasFull = DispatchSemaphore(value: 0)

  init() {
    buffers = (0..<4).map { _ in
      Buffer(bytes: .allocate(byteCount: 1 << 18, alignment: 4096))
    }
    state = Mutex(State(empty: buffers))
    for _ in buffers { hasEmpty.signal() }
  }

  deinit { for buffer in buffers { buffer.bytes.deallocate() } }

  /// Waits for a buffer to fill; nil once nobody takes them any more.
  func takeEmpty() -> Buffer? {
    hasEmpty.wait()
    return state.withLock { $0.isAbandoned ? nil : $0.empty.popLast() }
  }

  func put(_ buffer: Full) {
    state.withLock { $0.full.append(buffer) }
    hasFull.signal()
  }

  /// Says that no buffer follows.
  func finish(_ outcome: Result<Void, ExportError>) {
    state.withLock { $0.outcome = outcome }
    hasFull.signal()
  }

  /// Waits for a full buffer; nil at the end. The failure of the other side comes after all it
  /// filled before.
  func takeFull() throws(ExportError) -> Full? {
    while true {
      hasFull.wait()
      let (next, outcome) = state.withLock { state in
        (state.full.isEmpty ? nil : state.full.removeFirst(), state.outcome)
      }
      if let next { return next }
      guard let outcome else { continue }
      // Whoever asks again hears of the end again.
      hasFull.signal()
      try outcome.get()
      return nil
    }
  }

  func giveBack(_ buffer: Buffer) {
    state.withLock { $0.empty.append(buffer) }
    hasEmpty.signal()
  }

  /// Says that no buffer will be taken any more.
  func abandon() {
    state.withLock { $0.isAbandoned = true }
    hasEmpty.signal()
  }
}
