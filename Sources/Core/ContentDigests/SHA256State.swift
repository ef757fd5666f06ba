#if !canImport(CryptoKit)
  /// The compression function of FIPS 180-4, section 6.2.2: eight words, updated with 64-byte
  /// blocks.
  struct SHA256State {
    private var words: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32) = (
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
      0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
    )

    /// The state as 32 bytes, big-endian.
    var bytes: [UInt8] {
      let (a, b, c, d, e, f, g, h) = words
      var bytes: [UInt8] = []
      for word: UInt32 in [a, b, c, d, e, f, g, h] {
        withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
      }
      return bytes
    }

    /// Processes whole blocks; `bytes.count` is a multiple of 64.
    ///
    /// It uses loops, pointers and shifts that a debug build compiles to plain instructions instead of
    /// calls of generic functions, because tests hash millions of blocks.
    mutating func absorb(blocks bytes: UnsafeRawBufferPointer) {
      guard var block = bytes.baseAddress else { return }
      let end = block + bytes.count
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
        Self.constants.withUnsafeBufferPointer { constants in
          guard let schedule = schedule.baseAddress, let constants = constants.baseAddress else {
            return
          }
          while block < end {
            Self.expand(block, into: schedule)
            compress(schedule, constants)
            block += 64
          }
        }
      }
    }

    private static func expand(
      _ block: UnsafeRawPointer, into schedule: UnsafeMutablePointer<UInt32>
    ) {
      var i = 0
      while i < 16 {
        schedule[i] = UInt32(
          bigEndian: block.loadUnaligned(fromByteOffset: 4 * i, as: UInt32.self))
        i += 1
      }
      while i < 64 {
        let w15 = schedule[i - 15]
        let w2 = schedule[i - 2]
        let s0 = (w15 &>> 7 | w15 &<< 25) ^ (w15 &>> 18 | w15 &<< 14) ^ (w15 &>> 3)
        let s1 = (w2 &>> 17 | w2 &<< 15) ^ (w2 &>> 19 | w2 &<< 13) ^ (w2 &>> 10)
        schedule[i] = schedule[i - 16] &+ s0 &+ schedule[i - 7] &+ s1
        i += 1
      }
    }

    private mutating func compress(
      _ schedule: UnsafeMutablePointer<UInt32>, _ constants: UnsafePointer<UInt32>
    ) {
      var (a, b, c, d, e, f, g, h) = words
      var i = 0
      while i < 64 {
        let s1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
        let choice = (e & f) ^ (~e & g)
        let t1 = h &+ s1 &+ choice &+ constants[i] &+ schedule[i]
        let s0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
        let majority = (a & b) ^ (a & c) ^ (b & c)
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ s0 &+ majority)
        i += 1
      }
      words = (
        words.0 &+ a, words.1 &+ b, words.2 &+ c, words.3 &+ d,
        words.4 &+ e, words.5 &+ f, words.6 &+ g, words.7 &+ h
      )
    }

    private static let constants: [UInt32] = [
      0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
      0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
      0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
      0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
      0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
      0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
      0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
      0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
      0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
      0xc671_78f2,
    ]
  }
#endif
