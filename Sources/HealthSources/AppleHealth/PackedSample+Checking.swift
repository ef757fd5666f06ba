internal import AppleExport
internal import DayCounting
internal import HealthSamples

extension LeftOut: Error {}

extension PackedSample {
  /// A sample of an export in the unit in which it is counted, or why it does not count.
  ///
  /// - Parameter source: the number of its source, if not the export's own.
  static func packing(
    _ sample: ExportSample, source: UInt16? = nil
  ) -> Result<PackedSample, LeftOut> {
    let (start, end) = (Int(sample.start), Int(sample.end))
    do throws(SampleFault) {
      let quantity = try sample.kind.checked(
        sample.value, in: sample.unit, from: start, to: end)
      return .success(
        PackedSample(
          start: start, length: end - start, kind: sample.kind, source: source ?? sample.source,
          isUserEntered: sample.isUserEntered, isConvertible: quantity != nil,
          value: quantity ?? sample.value))
    } catch {
      return .failure(LeftOut(error))
    }
  }
}

extension LeftOut {
  fileprivate init(_ fault: SampleFault) {
    self =
      switch fault {
      case .date: .date
      case .endsBeforeStart: .endsBeforeStart
      case .tooLong: .tooLong
      case .value: .value
      }
  }
}
