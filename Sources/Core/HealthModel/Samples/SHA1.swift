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
