import ContentDigests

/// The same digests without a library: what the others are held against, and what the phone's build
/// uses on Linux.
package enum PortableDigests {
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] { sha256([bytes]) }

  /// RFC 2104 over SHA-256.
  package static func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var block = key.count > 64 ? sha256(key) : key
    block += repeatElement(0, count: 64 - block.count)
    return sha256([block.map { $0 ^ 0x5C }, sha256([block.map { $0 ^ 0x36 }, message])])
  }

  /// RFC 1321.
  package static func md5(_ bytes: [UInt8]) -> [UInt8]? {
    var words: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    let padded =
      bytes + [0x80] + repeatElement(0, count: (119 - bytes.count % 64) % 64)
      + (0..<8).map { UInt8(truncatingIfNeeded: (bytes.count * 8) >> (8 * $0)) }
    for start in stride(from: 0, to: padded.count, by: 64) {
      let block = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(padded[start + word * 4 + $1]) << (8 * $1) }
      }
      var (a, b, c, d) = (words[0], words[1], words[2], words[3])
      for i in 0..<64 {
        let (mixed, word): (UInt32, Int) =
          switch i / 16 {
          case 0: ((b & c) | (~b & d), i)
          case 1: ((d & b) | (~d & c), (5 * i + 1) % 16)
          case 2: (b ^ c ^ d, (3 * i + 5) % 16)
          default: (c ^ (b | ~d), 7 * i % 16)
          }
        let sum = a &+ mixed &+ sines[i] &+ block[word]
        let turn = turns[i / 16][i % 4]
        (a, d, c, b) = (d, c, b, b &+ (sum << turn | sum >> (32 - turn)))
      }
      words = [words[0] &+ a, words[1] &+ b, words[2] &+ c, words[3] &+ d]
    }
    return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  private static func sha256(_ parts: [[UInt8]]) -> [UInt8] {
    var digest = ContentDigest()
    for part in parts { digest.update(part) }
    return digest.finish()
  }

  private static let turns: [[UInt32]] = [
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
  ]

  /// The whole parts of 2^32 |sin i|, for i from 1 to 64.
  private static let sines: [UInt32] = [
    0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613,
    0xfd46_9501,
    0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e,
    0x49b4_0821,
    0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681,
    0xe7d3_fbc8,
    0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9,
    0x8d2a_4c8a,
    0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60,
    0xbebf_bc70,
    0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8,
    0xc4ac_5665,
    0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d,
    0x8584_5dd1,
    0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb,
    0xeb86_d391,
  ]
}
