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

/// Where the data of entries lies.
extension OpenFile {
  /// What unpacks an entry of the directory from its beginning.
  func unpacker(of entry: ZipEntry, size: Int64) throws(ExportError) -> EntryUnpacker {
    guard let packedSize = entry.packedSize, entry.offset >= 0, packedSize >= 0,
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

extension PackedBytes {
  /// The header of the next file in a pipe; nil where the zip's directory begins.
  func nextHeader(path: String) throws(ExportError) -> ZipEntry? {
    let head = try take(exactly: ZipEntry.localHeaderLength)
    if let signature = head.signature(0), signature != .localHeader { return nil }
    guard head.count == ZipEntry.localHeaderLength, let name = head.short(26),
      let extra = head.short(28)
    else {
      throw ExportError(
        .truncated, "the zip ends before its list of files", path: path,
        remedy: "send the whole file, or give its path")
    }
    guard let entry = ZipEntry.local(head, tail: try take(exactly: name + extra)) else {
      throw ExportError(
        .corrupt, "a file of the zip has no sound header", path: path,
        remedy: "send the whole file, or give its path")
    }
    return entry
  }
}
