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
