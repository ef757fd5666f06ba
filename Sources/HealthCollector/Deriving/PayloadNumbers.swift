package import HealthSamples

/// What an app's payloads say of one day, apart by how far each number can be trusted (R55). Pure.
package struct PayloadNumbers: Hashable, Sendable {
  /// Of samples, or of sums of less than a day.
  package var raw: [DailyMetric: Double] = [:]
  /// HealthKit's own number of the whole day, merged of all devices, received after its end.
  package var complete: [DailyMetric: Double] = [:]
  /// The same, received while the day lasted: more may have followed.
  package var unfinished: [DailyMetric: Double] = [:]
  /// Metrics that the payloads have in a form that can't be used.
  package var unsupported: Set<DailyMetric> = []

  /// Nothing.
  package init() {}

  /// Whether they say anything of the day.
  package var saysAnything: Bool {
    !raw.isEmpty || !complete.isEmpty || !unfinished.isEmpty || !unsupported.isEmpty
  }
}
