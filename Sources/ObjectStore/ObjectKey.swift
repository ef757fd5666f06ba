/// The name of an object: 1 to 1,024 bytes of UTF-8 in segments that every kind of store can hold.
///
/// No empty segment, no `.` or `..`, no control character, no segment over 255 bytes: the least
/// that AWS, MinIO, RADOS gateway and a file system all take (R17).
public struct ObjectKey: Hashable, Comparable, Sendable {
  public let rawValue: String

  /// The key, or nil if some store could not hold it.
  public init?(_ rawValue: String) {
    guard (1...1024).contains(rawValue.utf8.count),
      !rawValue.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
      rawValue.split(separator: "/", omittingEmptySubsequences: false).allSatisfy({ segment in
        !segment.isEmpty && segment != "." && segment != ".." && segment.utf8.count <= 255
      })
    else { return nil }
    self.rawValue = rawValue
  }

  /// Order of UTF-8 bytes, as stores list.
  public static func < (a: ObjectKey, b: ObjectKey) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }
}

extension ObjectKey: CustomStringConvertible {
  public var description: String { rawValue }
}
