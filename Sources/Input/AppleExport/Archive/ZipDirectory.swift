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

/// One file in a zip, as its header describes it.
struct ZipEntry: Equatable {
  enum Method: Equatable {
    case stored
    case deflated
    case other(Int)
  }

  /// As written; only ever shown, never made a path.
  var name: String
  var method: Method
  var isEncrypted: Bool
  /// Bytes in the zip.
  var packedSize: Int64
  /// Bytes of the file.
  var size: Int64
  /// CRC-32 of the file.
  var checksum: UInt32
  /// Where the local header begins.
  var offset: Int64

  /// Whether it can be an export by its name: every language has its own, all end in `.xml`.
  ///
  /// macOS adds `__MACOSX/` and `._*` for its own attributes.
  var mayBeExport: Bool { ExportName.mayBeExport(name) }
}

/// What the name of a file says.
enum ExportName {
  static func mayBeExport(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard let name = parts.last, !name.hasPrefix("._"), !parts.contains("__MACOSX") else {
      return false
    }
    return name.lowercased().hasSuffix(".xml")
  }

  /// The folder in which an export has them, in every language.
  static let electrocardiograms = "electrocardiograms"

  /// Whether a path in lower case is that of an electrocardiogram.
  static func isElectrocardiogram(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    return path.hasSuffix(".csv") && parts.dropLast().last ?? "" == electrocardiograms
  }
}

extension ZipEntry {
  /// A local header without its name and extra fields.
  static let localHeaderLength = 30

  /// Reads the header of the central directory at an offset; also its length.
  static func central(_ bytes: ZipBytes, at offset: Int) -> (ZipEntry, length: Int)? {
    guard bytes.signature(offset) == .centralHeader,
      let flags = bytes.short(offset + 8), let method = bytes.short(offset + 10),
      let checksum = bytes.number(offset + 16, 4), let packed = bytes.number(offset + 20, 4),
      let size = bytes.number(offset + 24, 4), let nameLength = bytes.short(offset + 28),
      let extraLength = bytes.short(offset + 30), let commentLength = bytes.short(offset + 32),
      let position = bytes.number(offset + 42, 4),
      let name = bytes.slice(offset + 46, nameLength),
      let extra = bytes.slice(offset + 46 + nameLength, extraLength)
    else { return nil }
    let wide = Wide(ZipBytes(bytes: Array(extra)))
    guard let size = wide.next(size), let packed = wide.next(packed),
      let position = wide.next(position)
    else { return nil }
    let entry = ZipEntry(
      name: String(decoding: name, as: UTF8.self), method: Method(method),
      isEncrypted: flags & 1 != 0, packedSize: packed, size: size,
      checksum: UInt32(checksum), offset: position)
    return (entry, 46 + nameLength + extraLength + commentLength)
  }
}

extension ZipEntry.Method {
  init(_ number: Int) {
    self = number == 0 ? .stored : number == 8 ? .deflated : .other(number)
  }
}

/// The zip64 extra field: those numbers, in order, that four bytes can't hold.
private final class Wide {
  private let extra: ZipBytes
  private var offset: Int?
  private var end = 0

  init(_ extra: ZipBytes) {
    self.extra = extra
    var place = 0
    while let tag = extra.short(place), let length = extra.short(place + 2) {
      if tag == 1 {
        (offset, end) = (place + 4, min(extra.count, place + 4 + length))
        break
      }
      place += 4 + length
    }
  }

  /// The number that a header gives in four bytes; nil if it stands nowhere or is absurd.
  func next(_ narrow: UInt64) -> Int64? {
    guard narrow == 0xFFFF_FFFF else { return Int64(narrow) }
    guard let offset, offset + 8 <= end, let number = extra.number(offset, 8) else { return nil }
    self.offset = offset + 8
    return Int64(exactly: number)
  }
}

/// Reads the little-endian numbers that a zip's records are made of.
///
/// An offset beyond the end gives nil and never a trap: the bytes are a stranger's.
struct ZipBytes {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  func number(_ offset: Int, _ length: Int) -> UInt64? {
    guard offset >= 0, offset <= bytes.count - length else { return nil }
    return (0..<length).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  func short(_ offset: Int) -> Int? { number(offset, 2).map { Int($0) } }

  func signature(_ offset: Int) -> ZipSignature? {
    number(offset, 4).flatMap { ZipSignature(rawValue: UInt32($0)) }
  }

  func slice(_ offset: Int, _ length: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, length >= 0, offset <= bytes.count - length else { return nil }
    return bytes[offset..<(offset + length)]
  }
}

/// How the records of a zip begin.
enum ZipSignature: UInt32 {
  case localHeader = 0x0403_4B50
  case centralHeader = 0x0201_4B50
  case end = 0x0605_4B50
  case end64 = 0x0606_4B50
  case locator64 = 0x0706_4B50
  case descriptor = 0x0807_4B50
}
