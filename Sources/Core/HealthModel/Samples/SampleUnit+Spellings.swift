/// The units of texts, of whatever source: exports, payloads, samples and metrics JSON.
extension SampleUnit {
  /// The unit of a spelling, as whatever source writes it; nil for one that nobody can convert, or that
  /// is a multiple of one of these.
  ///
  /// Case matters: `Cal` is a kilocalorie, `cal` a thousandth of one.
  public init?(spelling: String) {
    guard let reading = UnitReading(spelling), reading.scale == 1 else { return nil }
    self = reading.unit
  }
}

/// What a text says about numbers in its unit: they are `scale` times as large in another one.
package struct UnitReading: Hashable, Sendable {
  package let unit: SampleUnit
  package let scale: Double

  /// A unit as it is.
  package init(_ unit: SampleUnit) { (self.unit, scale) = (unit, 1) }

  /// Nil for a text that is not a unit, or of something that no number here measures.
  package init?(_ text: String) {
    if let unit = Self.byName[text] {
      self.init(unit)
      return
    }
    guard let expression = UnitExpression(text) else { return nil }
    var first: UnitReading?
    for (unit, own) in Self.expressions {
      guard let ratio = expression.ratio(to: own) else { continue }
      if abs(ratio - 1) < 1e-12 {
        self.init(unit)
        return
      }
      first = first ?? UnitReading(unit, scale: ratio)
    }
    guard let first else { return nil }
    self = first
  }

  private init(_ unit: SampleUnit, scale: Double) { (self.unit, self.scale) = (unit, scale) }

  /// A number of the text's unit in `unit`.
  package func number(_ number: Double) -> Double { scale == 1 ? number : number * scale }

  /// A number of the text's unit in another one; nil where the two measure different things.
  package func convert(_ number: Double, to other: SampleUnit) -> Double? {
    unit.convert(self.number(number), to: other)
  }

  /// The units by HealthKit's names, and by those of other programs.
  package static let byName: [String: SampleUnit] = {
    var units: [String: SampleUnit] = [:]
    for unit in SampleUnit.allCases where unit != .none && unit != .unknown {
      units[unit.rawValue] = unit
    }
    for (name, meant) in UnitNames.others { units[name] = units[meant] }
    return units
  }()

  /// What each unit's own name means. The two scales of temperature do not begin at 0.
  private static let expressions: [(unit: SampleUnit, expression: UnitExpression)] =
    SampleUnit.allCases.compactMap { unit in
      UnitExpression(unit.rawValue).map { (unit, $0) }
    }
}
