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

/// SHA-1, as name-based UUIDs need it (RFC 9562, section 5.5): for names, never for secrets.
///
/// Our own, because this module imports no C and a phone embeds it.
enum SHA1 {
  /// The 20 bytes of a message's digest.
  static func digest(of message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    let bits = UInt64(message.count) * 8
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
    for start in stride(from: 0, to: padded.count, by: 64) {
      mix(padded[start..<start + 64], into: &state)
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
  }

  /// It uses loops and shifts that a debug build compiles to plain instructions, because tests name many
  /// samples.
  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words = [UInt32](repeating: 0, count: 80)
    var place = 0
    while place < 64 {
      words[place &>> 2] = words[place &>> 2] &<< 8 | UInt32(block[block.startIndex + place])
      place += 1
    }
    place = 16
    while place < 80 {
      let word = words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16]
      words[place] = word &<< 1 | word &>> 31
      place += 1
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    var round = 0
    while round < 80 {
      let choice: UInt32
      let constant: UInt32
      if round < 20 {
        (choice, constant) = (b & c | ~b & d, 0x5A82_7999)
      } else if round < 40 {
        (choice, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
      } else if round < 60 {
        (choice, constant) = (b & c | b & d | c & d, 0x8F1B_BCDC)
      } else {
        (choice, constant) = (b ^ c ^ d, 0xCA62_C1D6)
      }
      let sum = (a &<< 5 | a &>> 27) &+ choice &+ e &+ constant &+ words[round]
      (e, d, c, b, a) = (d, c, b &<< 30 | b &>> 2, a, sum)
      round += 1
    }
    for (place, value) in [a, b, c, d, e].enumerated() { state[place] = state[place] &+ value }
  }
}
