/// A number made of whatever a record says beside what is counted: when it was entered, by which
/// version of which device, and its metadata.
///
/// Two glasses of water in one minute differ in nothing else, and are two; a record that stands
/// there twice has one mark. Each part adds its own number, so that their order makes no difference:
/// the metadata of one sample come in any. Texts are taken as written, because one program writes an
/// export. Not for other exports: they may write the same in other words.
struct EntryMark {
  private(set) var number: UInt64 = 0

  /// The attributes that nearly every record has.
  enum Attribute: UInt64 {
    case creationDate = 0x9E37_79B9_7F4A_7C15
    case sourceVersion = 0xBF58_476D_1CE4_E5B9
    case device = 0x94D0_49BB_1331_11EB
  }

  @inline(__always)
  mutating func add(_ attribute: Attribute, _ value: RawText) {
    if value.count > 0 { number &+= Self.mixed(value, from: attribute.rawValue) }
  }

  /// Adds an attribute, or one of the metadata.
  mutating func add(_ name: RawText, _ value: RawText) {
    number &+= Self.mixed(value, from: Self.mixed(name, from: 1))
  }

  /// Eight bytes at a time: a record has some hundred, and an export millions of records.
  @inline(__always)
  private static func mixed(_ text: RawText, from seed: UInt64) -> UInt64 {
    var state = seed ^ UInt64(truncatingIfNeeded: text.count)
    if var place = text.start {
      let end = place + text.count
      while end - place >= 8 {
        mix(ByteSearch.word(at: place), into: &state)
        place += 8
      }
      var rest: UInt64 = 0
      while place < end {
        rest = rest << 8 | UInt64(place.pointee)
        place += 1
      }
      mix(rest, into: &state)
    }
    return state ^ state >> 29
  }

  @inline(__always)
  private static func mix(_ word: UInt64, into state: inout UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0x9FB2_1C65_1E98_DF25)
    state = product.high ^ product.low ^ word.byteSwapped
  }
}
