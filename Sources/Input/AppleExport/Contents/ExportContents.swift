package import HealthModel

/// One record of an export: a quantity or a category over a stretch of time.
///
/// Small and without references, because an export has tens of millions of them.
package struct ExportSample: Hashable, Sendable {
  package var kind: SampleKind
  package var unit: SampleUnit
  /// Typed in by the person (`HKWasUserEntered`).
  package var isUserEntered: Bool
  /// Which of the sources reported so far, in their order.
  package var source: UInt16
  /// Seconds since 1970; `end` may equal `start`, and an export may even put it before.
  package var start: Int64
  package var end: Int64
  /// In `unit`, as written if that is the unit's own name; for a category its `SleepValue` or `StandValue`.
  package var value: Double
  /// Made of whatever else the record says (`EntryMark`): it tells two entries apart that say the
  /// same of one time. 0 where there is nothing else.
  package var mark: UInt64
  /// Whether it stands inside a correlation, where Apple repeats records.
  package var isInCorrelation = false

  package init(
    kind: SampleKind, unit: SampleUnit, isUserEntered: Bool = false, source: UInt16,
    start: Int64, end: Int64, value: Double, mark: UInt64 = 0
  ) {
    (self.kind, self.unit, self.isUserEntered) = (kind, unit, isUserEntered)
    (self.source, self.start, self.end, self.value) = (source, start, end, value)
    self.mark = mark
  }
}

/// Who wrote samples: an app or device by name, and the hardware where the export names it.
///
/// The address in `device` differs from record to record and is left out.
package struct ExportSource: Hashable, Sendable {
  package var name: String
  /// Such as `Watch6,2` or `iPhone14,5`; empty where unknown.
  package var hardware: String

  package init(name: String, hardware: String = "") {
    (self.name, self.hardware) = (name, hardware)
  }
}

package struct ExportWorkout: Hashable, Sendable {
  /// As written, such as `HKWorkoutActivityTypeRunning`.
  package var type: String
  package var source: UInt16
  /// Seconds since 1970; an export may put the end before the start.
  package var start: Int64
  package var end: Int64
  /// Seconds as given, without pauses; if not given, what the pauses leave.
  package var duration: Double?
  /// Each in the unit of the figure.
  package var figures: [WorkoutFigure: Double]
  /// Numbers of it that were left out: their unit can't be converted.
  package var unknownUnits = 0
  /// The same, because they are below 0 or not numbers.
  package var invalidNumbers = 0

  package init(
    type: String, source: UInt16, start: Int64, end: Int64, duration: Double? = nil,
    figures: [WorkoutFigure: Double] = [:]
  ) {
    (self.type, self.source, self.start, self.end) = (type, source, start, end)
    (self.duration, self.figures) = (duration, figures)
  }

  /// The type without `HKWorkoutActivityType`, such as `Running`.
  package var activity: String {
    let prefix = "HKWorkoutActivityType"
    return type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
  }
}

/// Apple's own figures of a day, by the device's calendar: a check on ours.
package struct ActivitySummary: Hashable, Sendable {
  /// `YYYY-MM-DD` as written.
  package var date: String
  /// Kilocalories; nil if not given or in an unknown unit.
  package var activeEnergy: Double?
  /// 0 where nothing was worn.
  package var activeEnergyGoal: Double?
  package var exerciseMinutes: Double?
  package var moveMinutes: Double?
  package var standHours: Double?

  package init(
    date: String, activeEnergy: Double? = nil, activeEnergyGoal: Double? = nil,
    exerciseMinutes: Double? = nil, moveMinutes: Double? = nil, standHours: Double? = nil
  ) {
    (self.date, self.activeEnergy, self.activeEnergyGoal) = (date, activeEnergy, activeEnergyGoal)
    (self.exerciseMinutes, self.moveMinutes) = (exerciseMinutes, moveMinutes)
    self.standHours = standHours
  }
}

/// Takes what a scan of an export finds, in the order of the file.
package protocol ExportSink {
  mutating func take(_ finding: ExportFinding) throws
}

/// A record that can't be read, and when it is of: from its start to its end, or where these can't be read
/// either, what can be of them (R18).
package struct UnreadRecord: Hashable, Sendable {
  package let kind: SampleKind
  /// Seconds since 1970.
  package let start: Int64
  package let end: Int64

  package init(kind: SampleKind, start: Int64, end: Int64) {
    (self.kind, self.start, self.end) = (kind, start, end)
  }
}

/// Why a scan left a record out.
package enum SkipReason: String, CaseIterable, Hashable, Sendable {
  /// A date that does not exist, or is missing.
  case date
  /// A value that has no meaning, or is missing.
  case value
  /// Over the bounds that the scan sets to an element or an attribute.
  case tooLarge = "too_large"
  /// Not well-formed.
  case malformed
  /// A category value that is not known.
  case unknownCategory = "unknown_category"
  /// More sources than can be distinguished.
  case tooManySources = "too_many_sources"
}

/// One thing that a scan found, in the order of the file.
package enum ExportFinding: Hashable, Sendable {
  /// The locale that the export was made in.
  case locale(String)
  case exportDate(Int64)
  /// The next source, before the first sample that names it: the first is number 0.
  case source(ExportSource)
  /// A zone that a record's `HKTimeZone` names, with the start of the record, where that is read, and
  /// whether it is of sleep.
  case timeZone(String, Int64?, ofSleep: Bool)
  case sample(ExportSample)
  // Rare and large: in place they would make room for themselves in each of millions of samples.
  indirect case workout(ExportWorkout)
  indirect case summary(ActivitySummary)
  /// A record that counts was left out.
  case skipped(SkipReason, SampleKind?)
  /// A record was left out, and it is known when it is of.
  case unread(UnreadRecord)
}

/// A tag that a scan left out: the first of its reason.
package struct SkippedExample: Hashable, Sendable {
  /// The line on which the tag begins, from 1; nil where the export came through a pipe.
  package let line: Int?
  /// What could not be read, as written; at most 80 characters and as anybody may have written it.
  package let text: String

  package init(line: Int?, text: String) { (self.line, self.text) = (line, text) }
}
