internal import HealthModel

/// Finds the kind of a record by its `type`, and counts the types that are not read.
struct KindTable {
  private var lastType: [UInt8] = []
  private var lastKind: SampleKind?
  /// Where the last type that is not a kind is counted.
  private var lastUnread = 0
  /// The types that are not read, by name; the first place is that of all further ones.
  private var places: [[UInt8]: Int] = [:]
  private var counts = [0]

  /// Exports hold records type by type, so the last answer mostly serves again.
  @inline(__always)
  mutating func kind(_ type: RawText) -> SampleKind? {
    if type.count == lastType.count, type.bytes.elementsEqualBytes(lastType) { return lastKind }
    return look(up: type)
  }

  private mutating func look(up type: RawText) -> SampleKind? {
    guard type.count <= Self.longest else {
      (lastType, lastKind, lastUnread) = ([], nil, 0)
      return nil
    }
    lastKind = Self.kinds[Array(type.bytes)]
    if lastKind == nil, type.holdsReference {
      lastKind = Self.kinds[AttributeText(type).bytes]
    }
    lastType = Array(type.bytes)
    if lastKind == nil { lastUnread = place(of: type) }
    return lastKind
  }

  private mutating func place(of type: RawText) -> Int {
    let name = AttributeText(type).bytes
    if let place = places[name] { return place }
    guard places.count < Self.mostTypes else { return 0 }
    places[name] = counts.count
    counts.append(0)
    return counts.count - 1
  }

  /// Where a record of the type that was looked at last is counted, or one without a type.
  @inline(__always)
  func unreadPlace(isTyped: Bool) -> Int { isTyped ? lastUnread : 0 }

  /// Counts a record of a type that is not read.
  @inline(__always)
  mutating func countUnread(at place: Int) { counts[place] += 1 }

  /// Counts records that were held back, by their places.
  mutating func addUnread(_ held: [Int: Int]) {
    for (place, count) in held { counts[place] += count }
  }

  /// Records of types that are not read, by type; those without a type, and of types beyond a
  /// thousand, under an empty name.
  var unread: [String: Int] {
    var unread: [String: Int] = [:]
    for (name, place) in places where counts[place] > 0 {
      unread[String(decoding: name, as: UTF8.self), default: 0] += counts[place]
    }
    if counts[0] > 0 { unread["", default: 0] += counts[0] }
    return unread
  }

  /// HealthKit has some two hundred.
  private static var mostTypes: Int { 1000 }

  /// More than the longest identifier, even if it is written in references.
  private static var longest: Int { 512 }

  private static let kinds: [[UInt8]: SampleKind] = {
    var kinds: [[UInt8]: SampleKind] = [:]
    for kind in SampleKind.allCases { kinds[Array(kind.identifier.utf8)] = kind }
    return kinds
  }()
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether both hold the same bytes, for two of one length.
  @inline(__always)
  func elementsEqualBytes(_ other: [UInt8]) -> Bool {
    guard let baseAddress else { return other.isEmpty }
    return other.withUnsafeBytes { other in
      guard let start = other.baseAddress else { return true }
      return compareBytes(baseAddress, start, other.count)
    }
  }
}

/// Words that are not known, each with how often it comes.
package struct UnknownWords: Hashable, Sendable {
  package private(set) var counts: [String: Int] = [:]

  /// Most words that are kept, and the longest of them in bytes.
  private static let mostWords = 100
  private static let longest = 128

  mutating func add(_ text: RawText) {
    let bytes = AttributeText(text).bytes.prefix(Self.longest)
    let word = String(decoding: bytes, as: UTF8.self)
    guard counts[word] != nil || counts.count < Self.mostWords else { return }
    counts[word, default: 0] += 1
  }
}

/// The unit of a record by its attribute `unit`.
struct UnitTable {
  private var lastText: UInt128 = 0
  private var lastUnit = UnitReading(.none)
  private var lastLongText: [UInt8] = []
  private var lastLongUnit = UnitReading(.unknown)

  /// `.none` where the attribute is absent or empty, `.unknown` for units that are not converted.
  @inline(__always)
  mutating func unit(_ text: RawText) -> UnitReading {
    guard text.count > 0 else { return UnitReading(.none) }
    guard let packed = text.packed else { return decoded(text) }
    if packed == lastText { return lastUnit }
    guard let unit = Self.units[packed] else { return decoded(text) }
    (lastText, lastUnit) = (packed, UnitReading(unit))
    return lastUnit
  }

  /// A unit that has no name of its own, or is written with references; the last one is remembered.
  private mutating func decoded(_ text: RawText) -> UnitReading {
    guard text.count <= 256 else { return UnitReading(.unknown) }
    if text.count == lastLongText.count, text.bytes.elementsEqualBytes(lastLongText) {
      return lastLongUnit
    }
    lastLongText = Array(text.bytes)
    lastLongUnit = UnitReading(AttributeText(text).string) ?? UnitReading(.unknown)
    return lastLongUnit
  }

  private static let units: [UInt128: SampleUnit] = {
    var units: [UInt128: SampleUnit] = [:]
    for (text, unit) in UnitReading.byName where text.utf8.count <= 16 {
      units[packed(text)] = unit
    }
    return units
  }()

  private static func packed(_ text: String) -> UInt128 {
    text.utf8.reduce(0) { $0 << 8 | UInt128($1) }
  }
}

/// Names of time zones as strings, one for each and not one for each record.
struct ZoneNames {
  /// No identifier of the time zone database, nor any locale or date, is as long.
  static var maximumBytes: Int { 255 }

  private var lastText: [UInt8] = []
  private var lastName = ""

  /// The name that an attribute holds; nil if it is absent, empty or too long.
  mutating func name(_ text: RawText) -> String? {
    guard text.count > 0, text.count <= Self.maximumBytes else { return nil }
    if text.count == lastText.count, text.bytes.elementsEqualBytes(lastText) { return lastName }
    lastText = Array(text.bytes)
    lastName = AttributeText(text).string
    return lastName
  }
}

/// What a category record's `value` says.
enum CategoryValue {
  /// HealthKit's number for the value; nil for one that is not known.
  static func number(_ text: RawText, of kind: SampleKind) -> Double? {
    if let number = plain(text, of: kind) { return number }
    guard text.count <= 512, text.holdsReference else { return nil }
    return AttributeText(text).withRawText { plain($0, of: kind) }
  }

  private static func plain(_ text: RawText, of kind: SampleKind) -> Double? {
    switch kind {
    case .sleepAnalysis: sleep(text).map { Double($0.rawValue) }
    case .appleStandHour: stand(text).map { Double($0.rawValue) }
    // A mindful session says nothing but when it was.
    default: 0
    }
  }

  private static func sleep(_ text: RawText) -> SleepValue? {
    guard text.starts(with: "HKCategoryValueSleepAnalysis") else { return nil }
    let name = text.dropping(28)
    if name.equals("AsleepCore") { return .asleepCore }
    if name.equals("AsleepREM") { return .asleepREM }
    if name.equals("AsleepDeep") { return .asleepDeep }
    if name.equals("Awake") { return .awake }
    if name.equals("InBed") { return .inBed }
    return name.equals("Asleep") || name.equals("AsleepUnspecified") ? .asleepUnspecified : nil
  }

  private static func stand(_ text: RawText) -> StandValue? {
    if text.equals("HKCategoryValueAppleStandHourStood") { return .stood }
    return text.equals("HKCategoryValueAppleStandHourIdle") ? .idle : nil
  }
}
