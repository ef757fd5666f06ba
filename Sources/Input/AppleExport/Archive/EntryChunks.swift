import CZlib
import Dispatch
import Synchronization

/// An export in a zip: unpacked on a thread of its own, so that scanning costs no time beside it.
final class EntryChunks: ExportChunks {
  private let entry: ZipEntry
  private let path: String
  private let exchange = BufferExchange()
  private var current: BufferExchange.Full?
  private var checksum: uLong = 0
  private var unpacked: Int64 = 0
  private(set) var bytesRead: Int64 = 0
  var bytesTotal: Int64? { entry.packedSize }

  init(_ unpacker: EntryUnpacker) {
    (entry, path) = (unpacker.entry, unpacker.path)
    let exchange = exchange
    // A serial queue of its own always gets a thread.
    DispatchQueue(label: "AppleExport.unzip").async { Self.unpack(unpacker, into: exchange) }
  }

  deinit { exchange.abandon() }

  private static func unpack(_ unpacker: EntryUnpacker, into exchange: BufferExchange) {
    do throws(ExportError) {
      while let buffer = exchange.takeEmpty() {
        let count = try unpacker.fill(buffer.bytes)
        if count == 0 { break }
        exchange.put(
          BufferExchange.Full(buffer: buffer, count: count, packedBytes: unpacker.packedBytes))
      }
      exchange.finish(.success(()))
    } catch {
      exchange.finish(.failure(error))
    }
  }

  func next() throws(ExportError) -> UnsafeRawBufferPointer? {
    if let current { exchange.giveBack(current.buffer) }
    current = try exchange.takeFull()
    guard let current else {
      try verify()
      return nil
    }
    let chunk = UnsafeRawBufferPointer(rebasing: current.buffer.bytes[..<current.count])
    let bytes = chunk.baseAddress?.assumingMemoryBound(to: Bytef.self)
    checksum = crc32(checksum, bytes, uInt(chunk.count))
    unpacked += Int64(chunk.count)
    bytesRead = current.packedBytes
    return chunk
  }

  /// Compares what was unpacked with the zip's size and checksum.
  private func verify() throws(ExportError) {
    guard entry.size == unpacked, uLong(entry.checksum) == checksum else {
      throw ExportError(
        .corrupt, "the unpacked data has another checksum than the zip says", path: path,
        entry: entry.name,
        remedy: "copy the file again, or export it again in the Health app")
    }
  }
}

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
