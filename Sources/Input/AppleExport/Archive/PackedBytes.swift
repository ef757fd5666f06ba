/// The packed bytes of an entry, through one buffer.
final class PackedBytes {
  private let file: OpenFile
  /// Where the next bytes are read.
  private var offset: Int64
  /// Bytes that may still be read.
  private var rest: Int64
  /// Raw memory, because `pread(2)` fills it and zlib reads it.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 4096)
  private var start = 0
  private var end = 0
  /// Bytes taken so far.
  private(set) var taken: Int64 = 0

  /// The bytes of a file from a place on.
  init(_ file: OpenFile, offset: Int64, count: Int64) {
    (self.file, self.offset, self.rest) = (file, offset, count)
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

  private func fill() throws(ExportError) {
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(rest, 1 << 17))])
    start = 0
    end = room.isEmpty ? 0 : try file.read(into: room, at: offset)
    offset += Int64(end)
    rest -= Int64(end)
  }
}

/// Where the data of entries lies.
extension OpenFile {
  /// What unpacks an entry of the directory from its beginning.
  func unpacker(of entry: ZipEntry, size: Int64) throws(ExportError) -> EntryUnpacker {
    let packedSize = entry.packedSize
    guard entry.offset >= 0, packedSize >= 0,
      entry.offset <= size - Int64(ZipEntry.localHeaderLength)
    else { throw ZipDirectory.damaged(path) }
    let head = try bytes(at: entry.offset, count: ZipEntry.localHeaderLength)
    guard head.signature(0) == .localHeader, let name = head.short(26), let extra = head.short(28)
    else { throw ZipDirectory.damaged(path) }
    let start = entry.offset + Int64(ZipEntry.localHeaderLength + name + extra)
    guard packedSize <= size - start else { throw ZipDirectory.damaged(path) }
    let packed = PackedBytes(self, offset: start, count: packedSize)
    return try EntryUnpacker(entry, packed, path: path)
  }
}
