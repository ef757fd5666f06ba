package import HealthCollector
package import HealthModel
package import HealthSamples
import HealthSources
package import HealthStreams

/// The payloads of Health Auto Export that can touch a day, and what they say of it (R55). Pure:
/// the result depends on the set of what was added, never on the order.
package struct PostedPayloads: Sendable {
  /// What they say.
  package struct Found: Hashable, Sendable {
    package var numbers = PayloadNumbers()
    /// Remarks for people.
    package var notes: [String] = []
  }

  private struct Posted {
    let id: String
    let device: String
    let session: String?
    let receivedAt: Timestamp
    let aggregation: String
    let payload: JSONValue
  }

  /// How long after the last payload of a session another one may follow, in seconds. An app may
  /// use one session for ever: then each time it sends is a capture of its own.
  static let sessionPause = 900

  private var posted: [Posted] = []

  /// No payload.
  package init() {}

  /// When the last was received.
  package var receivedAt: Timestamp? { posted.map(\.receivedAt).max() }

  /// Adds the payloads of a batch.
  package mutating func add(_ batch: StoredBatch) {
    let session = batch.request.session.flatMap {
      $0.hasPrefix(HealthAutoExportBody.hourPrefix) ? nil : $0
    }
    for entry in batch.entries {
      guard let value = try? JSONValue(parsing: entry.bytes), let payload = value["payload"] else {
        continue
      }
      let aggregation = value["headers"]?["automation-aggregation"]?.stringValue ?? ""
      posted.append(
        Posted(
          id: batch.id, device: batch.request.deviceID, session: session,
          receivedAt: batch.receivedAt, aggregation: aggregation.lowercased(), payload: payload))
    }
  }

  /// What they say of a day.
  package func found(
    on day: ReportingDay, further: Set<DailyMetric>
  ) throws -> Found {
    guard !posted.isEmpty else { return Found() }
    var reader = try PayloadDay(timeZoneName: day.timeZoneName, further: further)
    let captures = captures
    for capture in captures { reader.add(capture.payloads, isFine: capture.isFine) }
    let figures = try reader.figures(on: day.date)
    var found = Found()
    found.numbers.raw = figures.raw
    found.numbers.unsupported = figures.unsupported
    found.notes = figures.notes
    for (metric, row) in figures.dayRows {
      if captures[row.capture].receivedAt >= day.end.timestamp {
        found.numbers.complete[metric] = row.number
      } else {
        found.numbers.unfinished[metric] = row.number
      }
    }
    let coarse = posted.count { Self.isCoarse($0.aggregation) }
    if coarse > 0 {
      found.notes.append(
        "Health Auto Export: \(coarse == 1 ? "1 payload was" : "\(coarse) payloads were") by the "
          + "week or longer, and not counted; set the automation to days or less")
    }
    return found
  }

  /// What the app sent at one time.
  private struct Capture {
    var payloads: [JSONValue]
    var receivedAt: Timestamp
    /// Whether the app says that the rows are of a day at most.
    let isFine: Bool
  }

  /// In the order of their receipt; the payloads of one session together.
  private var captures: [Capture] {
    struct Session: Hashable { var device: String, name: String, aggregation: String }
    let inOrder = posted.filter { !Self.isCoarse($0.aggregation) }.sorted { a, b in
      if a.receivedAt != b.receivedAt { return a.receivedAt < b.receivedAt }
      return a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
    }
    var captures: [Capture] = []
    var open: [Session: Int] = [:]
    for one in inOrder {
      let session = one.session.map {
        Session(device: one.device, name: $0, aggregation: one.aggregation)
      }
      if let session, let index = open[session],
        one.receivedAt.secondsSince1970 - captures[index].receivedAt.secondsSince1970
          <= Self.sessionPause, Self.areApart(captures[index].payloads, one.payload)
      {
        captures[index].payloads.append(one.payload)
        captures[index].receivedAt = one.receivedAt
        continue
      }
      if let session { open[session] = captures.count }
      captures.append(
        Capture(
          payloads: [one.payload], receivedAt: one.receivedAt, isFine: isFine(one.aggregation)))
    }
    // A session that others came between ends where its last payload came.
    return captures.enumerated().sorted { a, b in
      (a.element.receivedAt, a.offset) < (b.element.receivedAt, b.offset)
    }.map(\.element)
  }

  /// Whether a payload has no row that others have. Batches of one capture never do; another
  /// capture would, and its rows must replace theirs.
  private static func areApart(_ payloads: [JSONValue], _ other: JSONValue) -> Bool {
    payloads.reduce(into: Set()) { $0.formUnion(rows($1)) }.isDisjoint(with: rows(other))
  }

  private static func rows(_ payload: JSONValue) -> Set<[JSONValue?]> {
    var keys: Set<[JSONValue?]> = []
    for metric in payload["data"]?["metrics"]?.arrayValue ?? [] {
      for row in metric["data"]?.arrayValue ?? [] {
        keys.insert(
          [metric["name"]] + ["date", "startDate", "start", "source", "value"].map { row[$0] })
      }
    }
    return keys
  }

  private func isFine(_ aggregation: String) -> Bool {
    ["day", "hour", "minute", "second"].contains { aggregation.contains($0) }
  }

  private static func isCoarse(_ aggregation: String) -> Bool {
    ["week", "month", "year"].contains { aggregation.contains($0) }
  }
}
