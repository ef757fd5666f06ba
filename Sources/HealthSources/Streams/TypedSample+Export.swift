internal import AppleExport
internal import DayCounting
internal import HealthSamples

extension TypedSample {
  /// Who wrote it.
  var writer: ExportSource { ExportSource(name: source, hardware: hardware) }

  func isWritten(by other: ExportSource) -> Bool {
    source == other.name && hardware == other.hardware
  }

  /// The same as a record of an export.
  func record(source: UInt16) -> ExportSample {
    ExportSample(
      kind: kind, unit: unit, isUserEntered: isUserEntered, source: source, start: Int64(start),
      end: Int64(end), value: value)
  }
}
