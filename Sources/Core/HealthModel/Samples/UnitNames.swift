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

/// What unit names are made of (R18): those of HealthKit, and those that other programs write.
///
/// HealthKit's are those of Apple's documentation of `HKUnit` (its initialiser `init(from:)`) and
/// `HKMetricPrefix`. Their sizes are the definitions of the SI, of the international yard and pound, and
/// of the conventional millimetre of mercury and centimetre of water; Tests/Peers/health_units.py
/// compares each of them with pint.
enum UnitNames {
  /// What can be measured. Numbers of things, parts, doses and levels are not physical quantities, and
  /// convert into nothing else.
  enum Base: Hashable {
    case length, mass, time, temperature, current, amount, angle, illuminance
    case thing, part, dose, soundLevel, hearingLevel, effortScore, prism
  }

  /// A unit: `times / per` of a metre, a gram, a second and so on, each with its power.
  struct Definition {
    let powers: [Base: Int]
    let times: Double
    let per: Double
    /// Whether it takes a prefix, as the units of the SI do.
    let takesPrefix: Bool

    init(_ powers: [Base: Int], _ times: Double = 1, per: Double = 1, prefix: Bool = false) {
      (self.powers, self.times, self.per, takesPrefix) = (powers, times, per, prefix)
    }
  }

  /// `mol<MASS>` is not among them: it is MASS grams.
  static let units: [String: Definition] = [
    "g": .init([.mass: 1], prefix: true),
    "oz": .init([.mass: 1], 453.59237, per: 16),
    "lb": .init([.mass: 1], 453.59237),
    "st": .init([.mass: 1], 14 * 453.59237),
    "mol": .init([.amount: 1], prefix: true),
    "m": .init([.length: 1], prefix: true),
    "in": .init([.length: 1], 0.0254),
    "ft": .init([.length: 1], 0.3048),
    "yd": .init([.length: 1], 0.9144),
    "mi": .init([.length: 1], 1609.344),
    "L": .init([.length: 3], per: 1000, prefix: true),
    "l": .init([.length: 3], per: 1000, prefix: true),
    "fl_oz_us": .init([.length: 3], 29.5735295625, per: 1e6),
    "fl_oz_imp": .init([.length: 3], 28.4130625, per: 1e6),
    "cup_us": .init([.length: 3], 236.5882365, per: 1e6),
    "cup_imp": .init([.length: 3], 284.130625, per: 1e6),
    "pt_us": .init([.length: 3], 473.176473, per: 1e6),
    "pt_imp": .init([.length: 3], 568.26125, per: 1e6),
    "Pa": .init(pressure, 1000, prefix: true),
    "mmHg": .init(pressure, 133_322.387415),
    "inHg": .init(pressure, 25.4 * 133_322.387415),
    "cmAq": .init(pressure, 98_066.5),
    "atm": .init(pressure, 101_325_000),
    "s": .init([.time: 1], prefix: true),
    "min": .init([.time: 1], 60),
    "hr": .init([.time: 1], 3600),
    "d": .init([.time: 1], 86_400),
    "J": .init([.mass: 1, .length: 2, .time: -2], 1000, prefix: true),
    "cal": .init([.mass: 1, .length: 2, .time: -2], 4184),
    "kcal": .init([.mass: 1, .length: 2, .time: -2], 4_184_000),
    "Cal": .init([.mass: 1, .length: 2, .time: -2], 4_184_000),
    "W": .init([.mass: 1, .length: 2, .time: -3], 1000, prefix: true),
    "V": .init([.mass: 1, .length: 2, .time: -3, .current: -1], 1000, prefix: true),
    "S": .init([.mass: -1, .length: -2, .time: 3, .current: 2], per: 1000, prefix: true),
    "K": .init([.temperature: 1], prefix: true),
    "Hz": .init([.thing: 1, .time: -1], prefix: true),
    "count": .init([.thing: 1]),
    "%": .init([.part: 1]),
    "IU": .init([.dose: 1]),
    "dBASPL": .init([.soundLevel: 1]),
    "dBHL": .init([.hearingLevel: 1]),
    "rad": .init([.angle: 1]),
    "deg": .init([.angle: 1], .pi, per: 180),
    "lx": .init([.illuminance: 1], prefix: true),
    "D": .init([.length: -1]),
    "pD": .init([.prism: 1]),
    "appleEffortScore": .init([.effortScore: 1]),
  ]

  private static let pressure: [Base: Int] = [.mass: 1, .length: -1, .time: -2]

  /// `HKMetricPrefix`, and the letters that people write for micro.
  static let prefixes: [String: (times: Double, per: Double)] = [
    "f": (1, 1e15), "p": (1, 1e12), "n": (1, 1e9), "mc": (1, 1e6), "m": (1, 1000), "c": (1, 100),
    "d": (1, 10), "da": (10, 1), "h": (100, 1), "k": (1000, 1), "M": (1e6, 1), "G": (1e9, 1),
    "T": (1e12, 1),
    "µ": (1, 1e6), "μ": (1, 1e6), "u": (1, 1e6),
  ]

  /// What other programs write, in HealthKit's words: Health Auto Export, FHIR servers, loggers of
  /// workouts and meters of glucose, as seen in their exports.
  static let others: [String: String] = [
    "1": "count", "counts": "count", "steps": "count", "falls": "count", "times": "count",
    "beats": "count", "breaths": "count", "strokes": "count", "score": "count",
    "bpm": "count/min", "BPM": "count/min", "spm": "count/min", "rpm": "count/min",
    "brpm": "count/min",
    "h": "hr", "hrs": "hr", "hour": "hr", "hours": "hr", "minute": "min", "minutes": "min",
    "mins": "min", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms",
    "day": "d", "days": "d",
    "mph": "mi/hr", "kmph": "km/hr", "kph": "km/hr", "kmh": "km/hr",
    "lbs": "lb", "ug": "mcg", "watts": "W", "watt": "W",
    "°C": "degC", "ºC": "degC", "℃": "degC", "°F": "degF", "ºF": "degF", "℉": "degF",
    "fl_oz": "fl_oz_us", "fl oz": "fl_oz_us", "fl. oz.": "fl_oz_us",
    "dB": "dBASPL", "dBA": "dBASPL", "dB(A)": "dBASPL",
    "MET": "kcal/hr·kg", "METs": "kcal/hr·kg",
    "cmH2O": "cmAq", "cmH₂O": "cmAq", "mm Hg": "mmHg", "in Hg": "inHg",
    "percent": "%",
    "millisecond": "ms", "milliseconds": "ms", "kilocalorie": "kcal", "kilocalories": "kcal",
    "kilojoule": "kJ", "kilojoules": "kJ", "mile": "mi", "miles": "mi", "yard": "yd",
    "yards": "yd", "kilometer": "km", "kilometers": "km", "kilometre": "km", "kilometres": "km",
    "meter": "m", "meters": "m", "metre": "m", "metres": "m", "centimeter": "cm",
    "centimeters": "cm", "centimetre": "cm", "centimetres": "cm", "pound": "lb", "pounds": "lb",
    "ounce": "oz", "ounces": "oz", "kilogram": "kg", "kilograms": "kg", "gram": "g", "grams": "g",
    "milligram": "mg", "milligrams": "mg", "microgram": "mcg", "micrograms": "mcg", "liter": "L",
    "liters": "L", "litre": "L", "litres": "L", "milliliter": "mL", "milliliters": "mL",
    "millilitre": "mL", "millilitres": "mL", "inch": "in", "inches": "in", "foot": "ft",
    "feet": "ft",
  ]
}
