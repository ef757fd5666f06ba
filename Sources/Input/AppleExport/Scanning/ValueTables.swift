internal import HealthModel

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
