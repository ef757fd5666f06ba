package import HealthModel

/// What one sealed batch becomes in a store: one part a UTC date, and the moments that its marker
/// names (R46). Pure: a function of the batch.
package struct AppendPlan: Hashable, Sendable {
  /// The entries of one UTC date, sealed like the batch that they come from.
  package struct Part: Hashable, Sendable {
    package let date: CalendarDate
    package let batch: SealedBatch
  }

  /// By date, ascending.
  package let parts: [Part]
  /// Empty for streams from which no days are derived.
  package let spans: [ClosedRange<Timestamp>]
  /// By which days find the payloads of the batch; created before any part (R51).
  package let references: [PayloadReference]

  /// - Throws: `StreamError` `invalidBatch` if the batch breaks a bound or is not what it says.
  package init(_ batch: SealedBatch) throws(StreamError) {
    let request: IngestRequest
    do throws(IngestRefusal) {
      request = try IngestRequest(sealed: batch.body)
    } catch {
      let first = error.faults.first
      throw StreamError(
        .invalidBatch,
        "the batch is not valid: "
          + [first?.pointer, first?.message].compactMap { $0 }
          .filter { !$0.isEmpty }.joined(separator: ": "))
    }
    guard let session = request.session else {
      throw StreamError(.invalidBatch, "the batch is not valid: it has no session")
    }
    let sealed = request.sealed(session: session)
    guard sealed == batch else {
      throw StreamError(.invalidBatch, "the batch's id or members are not those of its content")
    }
    let days = Dictionary(grouping: request.entries) { $0.start.utcDate }
    parts =
      days.count == 1
      ? days.keys.map { Part(date: $0, batch: batch) }
      : days.sorted { $0.key < $1.key }.map { date, entries in
        Part(
          date: date,
          batch: SealedBatch(
            sealing: entries, of: request.stream, deviceID: request.deviceID, session: session,
            appVersion: request.appVersion))
      }
    switch batch.stream {
    case .healthKit: spans = EntrySpans.covering(request.entries)
    case .healthAutoExport: spans = EntrySpans.covering(request.entries.flatMap(\.payloadSpans))
    case .location, .audio, .appMessages: spans = []
    }
    references =
      batch.stream == .healthAutoExport ? parts.flatMap { PayloadReference.all(to: $0) } : []
  }
}
