import Foundation

/// Buffers that go back and forth between the thread that unpacks and the one that scans.
///
/// `@unchecked`: every property that changes is read and written under the condition's lock, and a
/// buffer belongs to one side at a time.
final class BufferExchange: @unchecked Sendable {
  struct Full {
    var buffer: UnsafeMutableRawBufferPointer
    var count: Int
    /// Packed bytes read when it was filled.
    var packedBytes: Int64
  }

  private let condition = NSCondition()
  /// Raw memory, because zlib fills it on one thread while the other scans the one before.
  private let buffers: [UnsafeMutableRawBufferPointer]
  private var empty: [UnsafeMutableRawBufferPointer]
  private var full: [Full] = []
  private var outcome: Result<UInt32?, ExportError>?
  private var isAbandoned = false

  init() {
    buffers = (0..<4).map { _ in .allocate(byteCount: 1 << 18, alignment: 4096) }
    empty = buffers
  }

  deinit { for buffer in buffers { buffer.deallocate() } }

  /// Waits for a buffer to fill; nil once nobody takes them any more.
  func takeEmpty() -> UnsafeMutableRawBufferPointer? {
    condition.withLock {
      while empty.isEmpty, !isAbandoned { condition.wait() }
      return isAbandoned ? nil : empty.popLast()
    }
  }

  func put(_ buffer: Full) {
    condition.withLock {
      full.append(buffer)
      condition.signal()
    }
  }

  /// Says that no buffer follows, and the checksum that stood after the data.
  func finish(_ outcome: Result<UInt32?, ExportError>) {
    condition.withLock {
      self.outcome = outcome
      condition.signal()
    }
  }

  /// Waits for a full buffer; nil at the end. The failure of the other side comes after all it
  /// filled before.
  func takeFull() throws(ExportError) -> Full? {
    let next = condition.withLock { () -> Result<Full?, ExportError> in
      while true {
        if !full.isEmpty { return .success(full.removeFirst()) }
        if let outcome { return outcome.map { _ in nil } }
        condition.wait()
      }
    }
    return try next.get()
  }

  /// The checksum that stood after the data; nil where none did.
  var trailingChecksum: UInt32? {
    condition.withLock {
      guard case .success(let checksum) = outcome else { return nil }
      return checksum
    }
  }

  func giveBack(_ buffer: UnsafeMutableRawBufferPointer) {
    condition.withLock {
      empty.append(buffer)
      condition.signal()
    }
  }

  /// Says that no buffer will be taken any more.
  func abandon() {
    condition.withLock {
      isAbandoned = true
      condition.signal()
    }
  }
}
