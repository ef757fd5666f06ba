/// The packed bytes of an entry, or the bytes of a pipe, through one buffer.
final class PackedBytes {
  private let file: OpenFile
  /// Where the next bytes are read; nil for a pipe, which has no places.
  private var offset: Int64?
  /// Bytes that may still be read; nil where nothing says it.
  private var rest: Int64?
  /// Raw memory, because `read(2)` fills it and zlib reads it.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 4096)
  private var start = 0
  private var end = 0
  /// Bytes taken so far.
  private(set) var taken: Int64 = 0

  /// The bytes of a file from a place on.
  init(_ file: OpenFile, offset: Int64, count: Int64) {
    (self.file, self.offset, self.rest) = (file, offset, count)
  }

  /// A pipe, of which `first` has been read already.
  init(pipe file: OpenFile, first: [UInt8]) {
    self.file = file
    buffer.copyBytes(from: first)
    end = first.count
  }

  deinit { buffer.deallocate() }

  /// What can be taken now; empty at the end.
  func available() throws(ExportError) -> UnsafeRawBufferPointer {
    if start == end { try fill() }
    return UnsafeRawBufferPointer(rebasing: buffer[start..<end])
  }

  /// Takes the first of the available bytes.
  func take(_ count: Int) {
    start += count
    taken += Int64(count)
  }

  /// Takes so many bytes; fewer at the end.
  func take(exactly count: Int) throws(ExportError) -> ZipBytes {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let available = try available()
      if available.isEmpty { break }
      let part = min(available.count, count - bytes.count)
      bytes.append(contentsOf: available[..<part])
      take(part)
    }
    return ZipBytes(bytes: bytes)
  }

  private func fill() throws(ExportError) {
    (start, end) = (0, 0)
    var room = buffer
    if let rest {
      room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(rest, 1 << 17))])
    }
    guard !room.isEmpty else { return }
    if let offset {
      end = try file.read(into: room, at: offset)
      self.offset = offset + Int64(end)
    } else {
      end = try file.read(into: room)
    }
    rest = rest.map { $0 - Int64(end) }
  }
}
