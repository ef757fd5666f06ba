/// What identifies one sample, workout or period of sleep, where its source gives it
/// no UUID: the same whenever and in whatever order it is read (R45).
///
/// ```swift
/// let identity = SampleIdentity(
///   type: "HKQuantityTypeIdentifierBodyMass", source: "Scale", hardware: "", start: 1_700_000_000,
///   end: 1_700_000_000, value: "80.5", unit: "kg")
/// print(identity.uuid)
/// ```
public struct SampleIdentity: Hashable, Sendable {
  /// HealthKit's identifier.
  public var type: String
  /// The name of the app or device that wrote it.
  public var source: String
  /// The model of the device, such as `Watch6,2`; empty where unknown.
  public var hardware: String
  /// Seconds since 1970.
  public var start: Int64
  /// Seconds since 1970.
  public var end: Int64
  /// As written; empty for a workout, whose totals later exports write in other places.
  public var value: String
  /// As written; empty where there is none.
  public var unit: String

  /// An identity of these parts.
  public init(
    type: String, source: String, hardware: String, start: Int64, end: Int64, value: String = "",
    unit: String = ""
  ) {
    (self.type, self.source, self.hardware) = (type, source, hardware)
    (self.start, self.end, self.value, self.unit) = (start, end, value, unit)
  }

  /// A UUID of version 5 (RFC 9562), in lower case: of the parts with a unit separator (U+001F)
  /// between each two, in the namespace `s3health`.
  public var uuid: String {
    let parts = [type, source, hardware, "\(start)", "\(end)", value, unit]
    return Self.uuid(of: parts.joined(separator: "\u{1F}"))
  }

  /// 7d5cc0a8-3c54-5b0e-9d0f-2f4a52f2b8a1: chosen once, never to change.
  private static let namespace: [UInt8] = [
    0x7D, 0x5C, 0xC0, 0xA8, 0x3C, 0x54, 0x5B, 0x0E, 0x9D, 0x0F, 0x2F, 0x4A, 0x52, 0xF2, 0xB8, 0xA1,
  ]

  private static func uuid(of name: String) -> String {
    var bytes = Array(SHA1.digest(of: namespace + Array(name.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(place) { text.append(UInt8(ascii: "-")) }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: text, as: UTF8.self)
  }
}
