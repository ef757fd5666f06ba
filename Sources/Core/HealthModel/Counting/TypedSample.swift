/// One sample as a stream has it: a HealthKit type, a number in a unit, and a stretch of time.
package struct TypedSample: Hashable, Sendable {
  package let kind: SampleKind
  /// Seconds since 1970.
  package let start: Int
  /// Seconds since 1970.
  package let end: Int
  /// The name of the app or device that wrote it; empty where unknown.
  package let source: String
  /// The model of the device, such as `Watch6,2`; empty where unknown.
  package let hardware: String
  /// Whether the person typed it in.
  package let isUserEntered: Bool
  /// In `unit`; for a category its `SleepValue` or `StandValue`, or a number that is not known.
  package let value: Double
  /// `unknown` for a spelling that nobody can convert.
  package let unit: SampleUnit

  /// Why a sample is stored and not counted.
  package enum Fault: Error, Hashable, Sendable {
    /// No metric is made of samples of this type.
    case type(String)
    /// It lasts longer than 28 hours.
    case tooLong
    /// It begins before 2000, or after it was received.
    case time
  }

  /// A sample as given. An unknown unit or category is kept: then its metric is unsupported, not
  /// absent.
  package init(
    type: String, value: Double, unit: String, source: String, hardware: String = "",
    isUserEntered: Bool = false, start: Int, end: Int
  ) throws(Fault) {
    self.init(
      try Form(type: type, unit: unit), value: value, source: source, hardware: hardware,
      isUserEntered: isUserEntered, start: start, end: end)
  }

  /// A type and a unit, looked up: most samples repeat those of others.
  package struct Form: Hashable, Sendable {
    package let kind: SampleKind
    fileprivate let unit: UnitReading

    package init(type: String, unit: String) throws(Fault) {
      guard let kind = TypedSample.kinds[type] else { throw .type(type) }
      self.kind = kind
      if kind.isCategory {
        // Whatever a collector writes as the unit of a category, its times say how long it was.
        self.unit = UnitReading(.none)
      } else {
        self.unit = UnitReading(unit) ?? UnitReading(.unknown)
      }
    }
  }

  /// A sample of a form.
  package init(
    _ form: Form, value: Double, source: String, hardware: String, isUserEntered: Bool, start: Int,
    end: Int
  ) {
    (kind, self.start, self.end) = (form.kind, start, end)
    (self.source, self.hardware, self.isUserEntered) = (source, hardware, isUserEntered)
    (self.value, unit) = (form.unit.number(value), form.unit.unit)
  }

  fileprivate static let kinds = Dictionary(
    uniqueKeysWithValues: SampleKind.allCases.map { ($0.identifier, $0) })
}
