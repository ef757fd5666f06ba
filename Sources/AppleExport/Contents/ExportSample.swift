package import HealthSamples

/// One record of an export: a quantity or a category over a stretch of time.
///
/// Small and without references, for an export holds them by the ten million.
package struct ExportSample: Hashable, Sendable {
  package var kind: SampleKind
  package var unit: SampleUnit
  /// Typed in by the person (`HKWasUserEntered`).
  package var isUserEntered: Bool
  /// Which of the sources told so far, in their order.
  package var source: UInt16
  /// Seconds since 1970; `end` may equal `start`, and an export may even put it before.
  package var start: Int64
  package var end: Int64
  /// As written, in `unit`; for a category its `SleepValue` or `StandValue`.
  package var value: Double

  package init(
    kind: SampleKind, unit: SampleUnit, isUserEntered: Bool = false, source: UInt16,
    start: Int64, end: Int64, value: Double
  ) {
    (self.kind, self.unit, self.isUserEntered) = (kind, unit, isUserEntered)
    (self.source, self.start, self.end, self.value) = (source, start, end, value)
  }
}

/// Who wrote samples: an app or device by name, and the hardware where the export tells it.
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
