/// The name of an object: 1 to 1,024 bytes of UTF-8, in segments that every kind of store can hold.
///
/// It has no empty segment, no `.` or `..`, no control character, and no segment longer than 255
/// bytes: what AWS, MinIO, RADOS gateway and file systems all accept (R17). Keys are equal if their
/// bytes are equal. So, unlike with `String`, two spellings of `é` are two keys, as they are for a
/// store.
public struct ObjectKey: Hashable, Comparable, Sendable {
  /// The key as text.
  public let rawValue: String

  /// The key, or nil if some store could not hold it.
  public init?(_ rawValue: String) {
    var text = rawValue
    guard text.withUTF8(Self.isValid) else { return nil }
    self.rawValue = text
  }

  /// One pass over the bytes, because every request makes a key.
  private static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (1...1024).contains(bytes.count) else { return false }
    var (length, dots) = (0, 0)
    func endsSegment() -> Bool { (1...255).contains(length) && !(length == dots && dots <= 2) }
    for byte in bytes {
      switch byte {
      case 0..<0x20, 0x7F: return false
      case UInt8(ascii: "/"):
        guard endsSegment() else { return false }
        (length, dots) = (0, 0)
      default:
        length += 1
        if byte == UInt8(ascii: ".") { dots += 1 }
      }
    }
    return endsSegment()
  }

  /// Equality of UTF-8 bytes.
  public static func == (a: ObjectKey, b: ObjectKey) -> Bool {
    a.rawValue.utf8.elementsEqual(b.rawValue.utf8)
  }

  /// Compares UTF-8 bytes, the order in which stores list.
  public static func < (a: ObjectKey, b: ObjectKey) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }

  /// Hashes the UTF-8 bytes.
  public func hash(into hasher: inout Hasher) {
    var text = rawValue
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ObjectKey: CustomStringConvertible {
  /// The key as text.
  public var description: String { rawValue }
}
