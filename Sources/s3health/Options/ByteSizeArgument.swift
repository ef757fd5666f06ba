import ArgumentParser

/// A number of bytes as people write it: `64MB`, `500k`, `1 GB`, `0`; units are of 1,000.
struct ByteSizeArgument: ExpressibleByArgument, Hashable {
  /// At most a terabyte.
  let bytes: Int

  init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    let unit = argument.dropFirst(digits.count).drop { $0 == " " }.lowercased()
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
