package import HealthModel

/// How the numbers of a metric are written for people: in which unit, and rounded how far. All
/// numbers of a metric on a page are written by one of these.
struct PersonUnit: Hashable {
  /// Minutes as hours and minutes, anything else as a number.
  let isDuration: Bool
  /// What a stored number is multiplied by, and what is added then.
  let factor: Double
  let offset: Double
  /// The unit after a number other than 1; empty for a plain number.
  let plural: String
  let singular: String
  /// Decimals that are shown.
  let decimals: Int
  /// Whether trailing zeros are left out: of whole things that are counted.
  let isTrimmed: Bool

  /// - Parameters:
  ///   - greatest: the greatest number of the metric that the page shows.
  ///   - units: those that the person likes.
  init(_ metric: DailyMetric, greatest: Double, in units: PersonalUnits = .stored) {
    isDuration = metric.unit == .minute
    let isLongWay = metric.unit == .metre && metric.aggregation == .sum
    let chosen = units.unit(of: metric)
    offset = chosen.flatMap { metric.unit.convert(0, to: $0.unit) } ?? 0
    factor =
      chosen.flatMap { metric.unit.convert(1, to: $0.unit) }.map { [offset] in $0 - offset }
      ?? (isLongWay ? 0.001 : 1)
    (singular, plural) =
      chosen.map { ($0.name, $0.name) } ?? (isLongWay ? ("km", "km") : metric.nouns)
    isTrimmed = [.count, .hour].contains(metric.unit) && metric.aggregation != .mean
    let size = abs(greatest * factor + offset)
    let needed = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
    let most =
      metric.unitLabel == "bpm" ? 0 : isLongWay ? 2 : (chosen?.unit ?? metric.unit).mostDecimals
    // A tenth of a pound or of a degree counts also beyond a hundred.
    let isFine = [.pound, .degreeFahrenheit].contains(chosen?.unit)
    decimals = isFine ? most : min(needed, most)
  }

  /// The number with its unit.
  func text(_ stored: Double) -> String {
    if isDuration { return stored.asDuration }
    let number = bare(stored)
    let unit = number == "1" ? singular : plural
    return unit.isEmpty ? number : "\(number) \(unit)"
  }

  /// A number beside an axis: `1 h 30`.
  func tick(_ stored: Double) -> String {
    let text = bare(stored)
    return isDuration && text.firstRange(of: " h ") != nil ? text.replacing(" min", with: "") : text
  }

  /// The number alone, of a duration with its units.
  func bare(_ stored: Double) -> String {
    if isDuration { return stored.asDuration }
    return written(stored * factor + offset)
  }

  private func written(_ number: Double) -> String {
    let text = number.fixed(decimals)
    return isTrimmed ? text.withoutTrailingZeros : text
  }

  /// A difference with its sign: `+2`, `−12 min`, `±0.0`.
  func change(_ stored: Double) -> String {
    let amount = isDuration ? abs(stored).asDuration : written(abs(stored) * factor)
    if amount == (isDuration ? 0.0.asDuration : written(0)) { return "±\(amount)" }
    return (stored < 0 ? "−" : "+") + amount
  }
}

extension PersonalUnits {
  /// The unit above a column of a metric.
  package func name(of metric: DailyMetric) -> String { unit(of: metric)?.name ?? metric.plainUnit }

  /// A number of documents in the unit in which it is shown.
  package func shown(_ stored: Double, of metric: DailyMetric) -> Double {
    unit(of: metric).flatMap { metric.unit.convert(stored, to: $0.unit) } ?? stored
  }

  /// A number in such a column, no finer than anybody reads it: to tenths, below 10 to hundredths.
  package func rounded(_ stored: Double, of metric: DailyMetric) -> String {
    let number = shown(stored, of: metric)
    return number.magnitude < 9.995
      ? ((number * 100).rounded() / 100).grouped : number.groupedToTenths
  }

  /// A number in such a column: as it is stored, or to two decimals of another unit.
  package func cell(_ stored: Double, of metric: DailyMetric) -> String {
    guard let chosen = unit(of: metric), let value = metric.unit.convert(stored, to: chosen.unit)
    else { return stored.grouped }
    return value.fixed(2).withoutTrailingZeros
  }
}

extension Double {
  /// With exactly so many decimals, and commas between thousands.
  func fixed(_ decimals: Int) -> String {
    guard abs(self) < 1e12 else { return grouped }
    let scale = [1.0, 10, 100, 1000][Swift.min(3, Swift.max(0, decimals))]
    let units = Int((abs(self) * scale).rounded())
    let (whole, rest) = units.quotientAndRemainder(dividingBy: Int(scale))
    let sign = self < 0 && units > 0 ? "−" : ""
    guard decimals > 0 else { return sign + whole.grouped }
    let digits = String(rest)
    return sign + whole.grouped + "."
      + String(repeating: "0", count: Swift.min(3, decimals) - digits.count) + digits
  }
}

extension String {
  var withoutTrailingZeros: String {
    guard unicodeScalars.contains(".") else { return self }
    var text = self
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }
}

extension SampleUnit {
  /// Most decimals that say anything of a day's number.
  fileprivate var mostDecimals: Int {
    switch self {
    case .kilocalorie, .millisecond, .millimetreOfMercury, .milligramPerDecilitre, .decibel,
      .watt, .minute, .kilojoule, .fluidOunce:
      0
    case .countPerMinute, .kilogram, .percent, .degreeCelsius, .count, .hour, .centimetre,
      .oxygenUptake, .internationalUnit, .physicalEffort, .effortScore, .microsiemens, .pound,
      .stone, .inch, .degreeFahrenheit, .millimolePerLitre:
      1
    default: 2
    }
  }
}

extension DailyMetric {
  /// The unit as a person says it, after 1 and after other numbers.
  fileprivate var nouns: (singular: String, plural: String) {
    switch self {
    case .steps: ("step", "steps")
    case .flightsClimbed: ("floor", "floors")
    case .pushes: ("push", "pushes")
    case .swimmingStrokes: ("stroke", "strokes")
    case .falls: ("fall", "falls")
    case .alcoholicDrinks: ("drink", "drinks")
    case .inhalerUses: ("use", "uses")
    case .bodyMassIndex, .bodyMassIndexLatest: ("kg/m²", "kg/m²")
    case .respiratoryRate: ("breath/min", "breaths/min")
    case .cyclingCadence: ("turn/min", "turns/min")
    default: (plainUnit, plainUnit)
    }
  }
}
