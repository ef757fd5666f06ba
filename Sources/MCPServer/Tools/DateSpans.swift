import HealthModel

extension DateRuns {
  /// In as few words as possible: `["2026-02-01/2026-02-07", "2026-02-09"]`.
  var json: JSONValue {
    .array(
      runs.map { run in
        .string(run.first == run.last ? "\(run.first)" : "\(run.first)/\(run.last)")
      })
  }
}
