import HealthModel
package import HealthSources
package import HealthStreams

/// What of samples is in no day, whatever its zone: found when they are received, for whoever sent them and for a
/// log, which names nothing that was sent (R54).
package struct UnusedSamples: Sendable {
  private var entries = LeftOutEntries()
  package private(set) var lost = LostRows()

  package init() {}

  /// A sentence for each reason.
  package var words: [String] { entries.words }

  package mutating func take(_ batch: StoredSamples) {
    for sample in batch.samples where !sample.isDeletion {
      let label = batch.label(sample)
      let (type, unit) = (batch.word(label.type), batch.word(label.unit))
      do throws(TypedSample.Fault) {
        try TypedSample.check(from: sample.start, to: sample.end, receivedAt: batch.receivedAt)
        let typed = try TypedSample(
          type: type, value: sample.value, unit: unit, source: "",
          start: sample.start.secondsSince1970, end: sample.end.secondsSince1970)
        if entries.add(typed, unit: unit) { lost.add(of: Self.name(type)) }
      } catch {
        entries.add(error)
        lost.add(of: Self.name(type))
      }
    }
  }

  private static func name(_ type: String) -> String { names[type] ?? LostRows.unknown }

  /// By type, the first metric that is made of it.
  private static let names = Dictionary(
    DailyMetric.allCases.map { ($0.kind.identifier, $0.rawValue) },
    uniquingKeysWith: { first, _ in first })
}
