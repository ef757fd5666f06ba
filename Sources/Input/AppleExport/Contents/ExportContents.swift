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

/// One workout of an export.
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
