/// Which names a bucket may have.
package enum BucketName {
  /// 3 to 255 letters, digits, `.`, `-` and `_`, with a letter or digit at both ends. This is what
  /// S3 servers have accepted so far, and nothing that could change the meaning of a URL.
  package static func isValid(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard (3...255).contains(bytes.count), bytes.allSatisfy(isNameByte),
      let first = bytes.first, let last = bytes.last, isAlphanumeric(first), isAlphanumeric(last)
    else { return false }
    return name.firstRange(of: "..") == nil && IPv4Address(name) == nil
  }

  /// True if the name can be a single label of a host name, so that a wildcard certificate covers
  /// it.
  package static func fitsHostLabel(_ name: String) -> Bool {
    name.utf8.count <= 63
      && name.utf8.allSatisfy {
        isNameByte($0) && $0 != 0x2E && $0 != 0x5F && !(0x41...0x5A).contains($0)
      }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
