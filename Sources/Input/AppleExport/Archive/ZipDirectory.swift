/// The list of files at the end of a zip.
struct ZipDirectory {
  /// The entries that may be an export by their names, in the zip's order.
  private(set) var candidates: [ZipEntry] = []
  /// Whether there is a zip in the zip.
  private(set) var holdsZip = false
  /// Whether there are JSON or CSV files in the zip.
  private(set) var holdsJSON = false
  private(set) var holdsCSV = false
  /// Files in the folder of electrocardiograms.
  private(set) var electrocardiograms = 0

  /// Bytes of the directory: those of about a hundred thousand files.
  private static var maximumBytes: Int64 { 16 << 20 }
  /// More `.xml` files than that are not looked into.
  static var maximumCandidates: Int { 256 }

  /// Reads the directory of an open file.
  init(_ file: OpenFile, size: Int64) throws(ExportError) {
    let place = try Self.place(file, size: size)
    guard place.size <= Self.maximumBytes else {
      throw ExportError(
        .ambiguous, "it holds too many files", path: file.path,
        remedy: "name the export.zip that the Health app made")
    }
    guard place.size >= 0, place.offset >= 0, place.offset <= size - place.size else {
      throw Self.damaged(file.path)
    }
    let bytes = try file.bytes(at: place.offset, count: Int(place.size))
    var offset = 0
    while offset < bytes.count {
      guard let (entry, length) = ZipEntry.central(bytes, at: offset) else {
        // A signature of the directory itself may follow its entries.
        if offset > 0, bytes.signature(offset) != .centralHeader { break }
        throw Self.damaged(file.path)
      }
      offset += length
      let name = entry.name.lowercased()
      holdsZip = holdsZip || name.hasSuffix(".zip")
      holdsJSON = holdsJSON || name.hasSuffix(".json")
      holdsCSV = holdsCSV || name.hasSuffix(".csv")
      if ExportName.isElectrocardiogram(name) { electrocardiograms += 1 }
      if entry.mayBeExport { candidates.append(entry) }
    }
  }

  /// Where the directory lies, by the record at the end of the file.
  private static func place(
    _ file: OpenFile, size: Int64
  ) throws(ExportError) -> (offset: Int64, size: Int64) {
    // The record has 22 bytes and a comment of up to 65535 after it; before it stands a locator.
    let tailSize = min(size, 22 + 65_535 + 20)
    let tail = try file.bytes(at: size - tailSize, count: Int(tailSize))
    var end = tail.count - 22
    while end >= 0, !(tail.signature(end) == .end && fits(tail, end)) { end -= 1 }
    guard end >= 0, let entries = tail.short(end + 10), let length = tail.number(end + 12, 4),
      let offset = tail.number(end + 16, 4)
    else {
      throw ExportError(
        .truncated, "the zip ends before its list of files", path: file.path,
        remedy: "copy the whole file again, or export it again in the Health app")
    }
    guard entries == 0xFFFF || length == 0xFFFF_FFFF || offset == 0xFFFF_FFFF,
      tail.signature(end - 20) == .locator64
    else { return (Int64(offset), Int64(length)) }
    guard let at = tail.number(end - 20 + 8, 8), let place = Int64(exactly: at),
      place >= 0, place <= size - 56
    else { throw damaged(file.path) }
    let wide = try file.bytes(at: place, count: 56)
    guard wide.signature(0) == .end64, let length = wide.number(40, 8),
      let offset = wide.number(48, 8), let length = Int64(exactly: length),
      let offset = Int64(exactly: offset)
    else { throw damaged(file.path) }
    return (offset, length)
  }

  /// Whether the comment of a record ends with the file; a record inside a comment does not.
  private static func fits(_ tail: ZipBytes, _ end: Int) -> Bool {
    tail.short(end + 20).map { end + 22 + $0 <= tail.count } ?? false
  }

  static func damaged(_ path: String) -> ExportError {
    ExportError(
      .corrupt, "the zip's list of files is damaged", path: path,
      remedy: "copy the file again, or export it again in the Health app")
  }
}

extension OpenFile {
  /// Bytes at an offset, all of them.
  func bytes(at offset: Int64, count: Int) throws(ExportError) -> ZipBytes {
    let bytes = try read(count, at: offset)
    guard bytes.count == count else {
      throw ExportError(
        .truncated, "the zip ends before its data", path: path,
        remedy: "copy the whole file again, or export it again in the Health app")
    }
    return ZipBytes(bytes: bytes)
  }
}
