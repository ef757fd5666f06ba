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
