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
