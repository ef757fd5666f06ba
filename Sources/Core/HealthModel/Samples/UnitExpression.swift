/// What a unit's text means: names with prefixes and powers, `·` and `/` (R18).
///
/// All that follows a `/` divides, as in HealthKit's own texts: `mL/min·kg` is mL/(min·kg). Powers are
/// written `m^2`, `m²`, `m2` or `s^-1`.
struct UnitExpression {
  /// The power of each base.
  private(set) var powers: [UnitNames.Base: Int] = [:]
  /// `times / per` of the base units.
  private(set) var times = 1.0
  private(set) var per = 1.0

  /// The molar mass of glucose in HealthKit, in grams: `mmol/L` without a mass is of glucose.
  static let glucose = 180.1558800000541
  /// Longer texts, and deeper ones, are not units.
  private static let longest = 128
  private static let deepest = 4

  /// Nil for a text that is not a unit.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    var rest = Array(text)[...]
    guard let found = Self.product(&rest, 0), rest.isEmpty else { return nil }
    self = found
    if powers == [.time: -1] { powers[.thing] = 1 }
    if powers == [.amount: 1, .length: -3] {
      (powers, times) = ([.mass: 1, .length: -3], times * Self.glucose)
    }
  }

  private init(_ definition: UnitNames.Definition) {
    (powers, times, per) = (definition.powers, definition.times, definition.per)
  }

  private init() {}

  /// How many of another unit it is; nil where the two measure different things.
  func ratio(to other: UnitExpression) -> Double? {
    guard powers == other.powers else { return nil }
    return times * other.per / (per * other.times)
  }

  private mutating func multiply(_ other: UnitExpression, power: Int) {
    for _ in 0..<abs(power) {
      times *= power > 0 ? other.times : other.per
      per *= power > 0 ? other.per : other.times
    }
    for (base, own) in other.powers {
      powers[base, default: 0] += own * power
      if powers[base] == 0 { powers[base] = nil }
    }
  }

  // MARK: - Reading

  /// `term`, then `·` or `/` and another one, as often as they come.
  private static func product(_ rest: inout ArraySlice<Character>, _ depth: Int) -> UnitExpression?
  {
    guard depth <= deepest else { return nil }
    var found = UnitExpression()
    var divides = false
    skipBlanks(&rest)
    // `/min` is a number a minute.
    if rest.first == "/" {
      divides = true
      rest = rest.dropFirst()
    }
    while true {
      skipBlanks(&rest)
      guard let (term, power) = term(&rest, depth) else { return nil }
      found.multiply(term, power: divides ? -power : power)
      skipBlanks(&rest)
      switch rest.first {
      case "/": divides = true
      case "·", "*", "⋅", "∙", "×", ".": break
      default: return found
      }
      rest = rest.dropFirst()
    }
  }

  private static func term(
    _ rest: inout ArraySlice<Character>, _ depth: Int
  ) -> (UnitExpression, power: Int)? {
    if rest.first == "(" {
      rest = rest.dropFirst()
      guard let inner = product(&rest, depth + 1), rest.first == ")" else { return nil }
      rest = rest.dropFirst()
      return power(&rest).map { (inner, $0) }
    }
    guard let unit = unit(&rest), let power = power(&rest) else { return nil }
    return (unit, power)
  }

  /// A name with its prefix; `mol<MASS>` too.
  private static func unit(_ rest: inout ArraySlice<Character>) -> UnitExpression? {
    if rest.first == "1" {
      rest = rest.dropFirst()
      return UnitExpression(UnitNames.Definition([.thing: 1]))
    }
    let name = rest.prefix { $0.isLetter || "%_°℃℉".contains($0) }
    guard !name.isEmpty else { return nil }
    rest = rest.dropFirst(name.count)
    // `H2O` holds a digit.
    var word = String(name)
    if word.hasSuffix("H"), rest.starts(with: "2O") || rest.starts(with: "₂O") {
      word += "2O"
      rest = rest.dropFirst(2)
    }
    guard var found = unit(named: word) else { return nil }
    guard rest.first == "<" else { return found }
    guard found.powers == [.amount: 1] else { return nil }
    let text = rest.dropFirst().prefix { $0 != ">" }
    rest = rest.dropFirst(text.count + 1)
    guard rest.first == ">", let mass = Double(String(text)), mass > 0, mass < 1e9 else {
      return nil
    }
    rest = rest.dropFirst()
    (found.powers, found.times) = ([.mass: 1], found.times * mass)
    return found
  }

  private static func unit(named name: String) -> UnitExpression? {
    if let unit = UnitNames.units[name] { return UnitExpression(unit) }
    // None of them stands for another one of these.
    if let meant = UnitNames.others[name] {
      var rest = Array(meant)[...]
      return product(&rest, deepest)
    }
    for (prefix, size) in UnitNames.prefixes where name.hasPrefix(prefix) {
      guard let unit = UnitNames.units[String(name.dropFirst(prefix.count))], unit.takesPrefix
      else {
        continue
      }
      var found = UnitExpression(unit)
      (found.times, found.per) = (found.times * size.times, found.per * size.per)
      return found
    }
    return nil
  }

  /// 1 where there is none; nil for one that is not a whole number from -9 to 9, or 0.
  private static func power(_ rest: inout ArraySlice<Character>) -> Int? {
    if rest.first == "^" {
      rest = rest.dropFirst()
    } else if !(rest.first.map { $0.isASCII && $0.isNumber || superscripts[$0] != nil } ?? false) {
      return 1
    }
    var text = rest.prefix { superscripts[$0] != nil || $0 == "-" || $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(text.count)
    text = ArraySlice(text.map { superscripts[$0] ?? $0 })
    guard let power = Int(String(text)), power != 0, abs(power) < 10 else { return nil }
    return power
  }

  private static let superscripts: [Character: Character] = [
    "⁻": "-", "⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7",
    "⁸": "8", "⁹": "9",
  ]

  private static func skipBlanks(_ rest: inout ArraySlice<Character>) {
    rest = rest.drop { $0 == " " || $0 == "\u{A0}" || $0 == "\u{202F}" }
  }
}
