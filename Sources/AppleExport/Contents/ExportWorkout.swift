/// One workout of an export.
package struct ExportWorkout: Hashable, Sendable {
  /// Without `HKWorkoutActivityType`, such as `Running`.
  package var activity: String
  package var source: UInt16
  /// Seconds since 1970.
  package var start: Int64
  package var end: Int64
  /// Seconds as told; pauses are left out of it.
  package var duration: Double?
  /// Metres.
  package var distance: Double?
  /// Kilocalories.
  package var energy: Double?

  package init(
    activity: String, source: UInt16, start: Int64, end: Int64, duration: Double? = nil,
    distance: Double? = nil, energy: Double? = nil
  ) {
    (self.activity, self.source, self.start, self.end) = (activity, source, start, end)
    (self.duration, self.distance, self.energy) = (duration, distance, energy)
  }
}
