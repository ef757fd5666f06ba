import HealthLedger
import HealthModel

/// The size of the cache and the origin of that setting (R39).
package struct CacheSetting: Hashable, Sendable {
  /// The most bytes on the disk; 0 turns the cache off.
  package let size: Int
  package let origin: String
  /// The folder of the cache.
  package let folder: String

  package static let defaultSize = 64_000_000

  /// The given value, or that of a variable or the configuration file, or the default.
  init(
    _ given: Sourced<Int>?, found: Sourced<String>?, _ directories: UserDirectories
  ) throws(LedgerError) {
    folder = directories.cache + "/objects"
    if let given {
      (size, origin) = (given.value, given.origin)
    } else if let found {
      guard let size = ByteSize(found.value) else {
        throw LedgerError(
          .invalidArguments,
          "\(found.origin): \"\(found.value.prefix(40))\" is not a valid cache size",
          remedy: "use a size such as 64MB, or 0 to turn the cache off")
      }
      (self.size, origin) = (size.bytes, found.origin)
    } else {
      (size, origin) = (Self.defaultSize, "default")
    }
  }

  /// For people, such as `64 MB in /home/ann/.cache/s3health/objects`.
  package var description: String { size == 0 ? "off" : "\(size.inBytes) in \(folder)" }
}

/// A number of bytes as people write it: `64MB`, `500k`, `1 GB`, `0`. Units are multiples of 1,000.
package struct ByteSize: Hashable, Sendable {
  /// At most a terabyte.
  package let bytes: Int

  package init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    guard !digits.isEmpty, digits.count <= 13, let number = Int(digits),
      let scale = Self.units[unit]
    else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: scale)
    guard !overflow, bytes <= 1_000_000_000_000 else { return nil }
    self.bytes = bytes
  }

  private static let units = [
    "": 1, "b": 1, "k": 1000, "kb": 1000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
    "gb": 1_000_000_000,
  ]
}
