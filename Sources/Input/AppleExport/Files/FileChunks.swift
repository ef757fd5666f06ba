/// The bytes of an export.xml, chunk by chunk.
protocol ExportChunks: AnyObject {
  /// Bytes of the file read so far.
  var bytesRead: Int64 { get }
  /// Bytes of the file; nil for a pipe.
  var bytesTotal: Int64? { get }
  /// The next chunk, valid until the next call; nil at the end.
  func next() throws(ExportError) -> UnsafeRawBufferPointer?
}

/// An export.xml as it lies on disk or comes through a pipe.
final class FileChunks: ExportChunks {
  private let file: OpenFile
  /// Bytes that were read to find out what the file is.
  private var first: [UInt8]
  /// One buffer for all chunks: half of a usual second-level cache. Raw memory, because `read(2)`
  /// fills it and zeroing an array again would cost as much as scanning.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
  private(set) var bytesRead: Int64 = 0
  var bytesTotal: Int64? { file.size }

  /// `first` is what has been read of the file already.
  init(_ file: OpenFile, first: [UInt8]) {
    (self.file, self.first) = (file, first)
    file.expectOnePass()
  }

  deinit { buffer.deallocate() }

  func next() throws(ExportError) -> UnsafeRawBufferPointer? {
    var count = min(first.count, buffer.count)
    if count > 0 {
      buffer.copyBytes(from: first[..<count])
      first.removeFirst(count)
    } else {
      count = try file.read(into: buffer)
    }
    bytesRead += Int64(count)
    return count > 0 ? UnsafeRawBufferPointer(rebasing: buffer[..<count]) : nil
  }
}
