/// What a person wants to reach in a day, by metric, in the units of documents.
package struct PersonalGoals: Hashable, Sendable {
  package private(set) var numbers: [DailyMetric: Double] = [:]

  /// Reads goals with commas between them, such as `exercise_minutes=30, stand_hours=12`, by the keys
  /// of metrics.
  package init(_ text: String) throws(InvalidText) {
    for part in text.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1).map(Self.withoutSpaces)
      guard pair.count == 2, let metric = DailyMetric.named(pair[0]), let number = Double(pair[1]),
        number > 0, metric.plausible.contains(number)
      else { throw InvalidText("\"\(Self.withoutSpaces(part).prefix(60))\" is not a goal") }
      numbers[metric] = number
    }
  }

  private static func withoutSpaces(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    return start.lastIndex { $0 != " " && $0 != "\t" }.map { String(start[...$0]) } ?? ""
  }
}
