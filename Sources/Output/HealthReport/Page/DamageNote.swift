import HealthModel

extension HTMLWriter {
  /// Says of which days a number may not be the one that was written (R60), wherever their numbers are
  /// shown.
  mutating func damage(of days: [ReportDay]) {
    let runs = DateRuns(days.lazy.filter(\.isDamaged).map(\.date)).runs
    guard !runs.isEmpty else { return }
    let named = runs.prefix(FindingsSection.maximumRunsOfEntry).map(PageWords.run)
    let more = runs.count - named.count
    element(
      "p", ["class": "damage", "role": "note"],
      text: "Damaged: \(named.joined(separator: "; "))"
        + (more > 0 ? "; and \(PageWords.count(more, "more run")) of dates" : "")
        + ". What is stored is not what was written, so a number of these days may be wrong.")
  }
}
