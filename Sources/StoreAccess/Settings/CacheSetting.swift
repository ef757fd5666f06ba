import HealthLedger
import HealthModel

/// Whether copies of what was read are kept, how much, and who said so (R39).
package struct CacheSetting: Hashable, Sendable {
  /// Most bytes on the disk; 0: no copies.
  package let size: Int
  package let origin: String
  /// The folder of the copies.
  package let folder: String

  package static let defaultSize = 64_000_000

  /// What was given, else what a variable or the configuration file says, else the default.
  init(
    _ given: Given<Int>?, found: Given<String>?, _ directories: UserDirectories
  ) throws(SettingsError) {
    folder = directories.cache + "/objects"
    if let given {
      (size, origin) = (given.value, given.origin)
    } else if let found {
      guard let size = ByteSize(found.value) else {
        throw SettingsError(
          "\(found.origin): the cache's size is \"\(found.value.prefix(40))\"",
          remedy: "use a size such as 64MB, or 0 to keep no copies")
      }
      (self.size, origin) = (size.bytes, found.origin)
    } else {
      (size, origin) = (Self.defaultSize, "default")
    }
  }

  /// Such as `64 MB in /home/ann/.cache/s3health/objects`.
  package var description: String { size == 0 ? "off" : "\(size.inBytes) in \(folder)" }
}

/// A number of bytes as people write it: `64MB`, `500k`, `1 GB`, `0`; units are of 1,000.
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
