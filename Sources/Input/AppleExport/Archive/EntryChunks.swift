import CZlib
import Dispatch

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
