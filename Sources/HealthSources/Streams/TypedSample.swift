internal import AppleExport
package import HealthSamples

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
  /// In `unit`; for a category its `SleepValue` or `StandValue`.
  package let value: Double
  /// `unknown` for a spelling that nobody can convert.
  package let unit: SampleUnit

  /// Why a sample can't be counted.
  package enum Fault: Error, Hashable, Sendable {
    /// No metric is made of samples of this type.
    case type
    /// A category has no such value.
    case category
  }

  /// A sample as given. An unknown unit is kept: then its metric is unsupported, not absent.
  package init(
    type: String, value: Double, unit: String, source: String, hardware: String = "",
    isUserEntered: Bool = false, start: Int, end: Int
  ) throws(Fault) {
    guard let kind = Self.kinds[type] else { throw .type }
    (self.kind, self.start, self.end) = (kind, start, end)
    (self.source, self.hardware, self.isUserEntered) = (source, hardware, isUserEntered)
    if kind.isCategory {
      // Whatever a collector writes as the unit of a category, its times say how long it was.
      guard Self.isKnown(value, kind) else { throw .category }
      (self.value, self.unit) = (value, .none)
    } else if let spelling = PayloadUnit(unit) {
      (self.value, self.unit) = (value * spelling.times, spelling.unit)
    } else {
      (self.value, self.unit) = (value, .unknown)
    }
  }

  private static func isKnown(_ value: Double, _ kind: SampleKind) -> Bool {
    guard let number = Int(exactly: value) else { return false }
    return switch kind {
    case .sleepAnalysis: SleepValue(rawValue: number) != nil
    case .appleStandHour: StandValue(rawValue: number) != nil
    default: true
    }
  }

  private static let kinds = Dictionary(
    uniqueKeysWithValues: SampleKind.allCases.map { ($0.identifier, $0) })

  /// Who wrote it.
  var writer: ExportSource { ExportSource(name: source, hardware: hardware) }

  /// The same as a record of an export.
  func record(source: UInt16) -> ExportSample {
    ExportSample(
      kind: kind, unit: unit, isUserEntered: isUserEntered, source: source, start: Int64(start),
      end: Int64(end), value: value)
  }
}
