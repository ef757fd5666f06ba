/// What the records of a correlation say, until its end tag comes.
///
/// In Apple's own files they stand at top level too, so after the end tag they are reported as
/// `isInCorrelation`, and count only where no other record says the same. Where it is lost, what
/// looks like the correlation's is the rest of the file: then they are reported as any others, and a
/// record that was indeed the correlation's is an exact duplicate, which counts once.
struct HeldRecords {
  var findings: [ExportFinding] = []
  var records = 0
  /// Of each reason the first tag of them that was left out.
  var examples: [SkipReason: SkippedTag] = [:]
  /// How many are of a type that is not read, by the type's place in the `KindTable`.
  var unread: [Int: Int] = [:]

  /// Blood pressure has two records and a meal at most some forty.
  static var mostRecords: Int { 256 }
  static var mostFindings: Int { 4096 }
}

extension ExportScanner {
  /// Reports a finding, or holds it back within a correlation.
  @inline(__always)
  mutating func report(_ finding: ExportFinding) {
    guard held == nil else { return hold(finding) }
    findings.append(finding)
  }

  private mutating func hold(_ finding: ExportFinding) {
    held?.findings.append(finding)
    if let held, held.findings.count > HeldRecords.mostFindings { releaseHeld() }
  }

  @inline(__always)
  mutating func countRecord() {
    recordCount += 1
    if held != nil { countHeld() }
  }

  private mutating func countHeld() {
    held?.records += 1
    if let held, held.records > HeldRecords.mostRecords { releaseHeld() }
  }

  /// Counts a record of a type that is not read; `isTyped` is false for one without a type.
  mutating func countUnread(isTyped: Bool) {
    let place = kinds.unreadPlace(isTyped: isTyped)
    if held == nil {
      kinds.countUnread(at: place)
    } else {
      held?.unread[place, default: 0] += 1
    }
  }

  /// Keeps the first tag of each reason for which one is left out.
  mutating func keepExample(_ reason: SkipReason, text: RawText) {
    if held == nil {
      guard examples[reason] == nil else { return }
      examples[reason] = SkippedTag(offset: tagOffset, text: text)
    } else if held?.examples[reason] == nil {
      held?.examples[reason] = SkippedTag(offset: tagOffset, text: text)
    }
  }

  mutating func takeCorrelation(
    from start: Place, attributes: Place, to limit: Place
  ) -> Place? {
    guard let next = end(ofTag: start, from: attributes, to: limit) else { return nil }
    finishChild()
    releaseHeld()
    if next[-2] != Mark.slash { held = HeldRecords() }
    return next
  }

  /// Reports the samples of a correlation that has its end. What else was found of its records is
  /// that of their repetitions, and what can't be read of them is reported where they stand again.
  mutating func endCorrelation() {
    finishChild()
    if let held {
      recordCount -= held.records
      for case .sample(var sample) in held.findings {
        sample.isInCorrelation = true
        findings.append(.sample(sample))
      }
    }
    held = nil
  }

  /// Reports the records of a correlation whose end tag is lost.
  mutating func releaseHeld() {
    guard let held else { return }
    self.held = nil
    findings += held.findings
    examples.merge(held.examples) { earlier, _ in earlier }
    kinds.addUnread(held.unread)
  }
}

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
