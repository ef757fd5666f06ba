package import HealthModel

/// The three kinds of records that are posted and stored, one table each (R56).
package enum RecordKind: String, CaseIterable, Hashable, Sendable {
  case metrics, workouts, sleep

  /// The last part of the endpoint's path: `/api/ingest/health-metrics`.
  package var endpoint: String { "health-\(rawValue)" }

  package var table: String { "ios_apple_health_\(rawValue)" }

  /// The table of the older pipeline, which is only ever read.
  package var legacyTable: String { "apple_health_\(rawValue)" }
}

/// Records of one kind, as a request carries them (R56).
package enum RecordBatch: Hashable, Sendable {
  case metrics([MetricRecord])
  case workouts([WorkoutRecord])
  case sleep([SleepRecord])

  package static let maximumCount = 10_000

  /// How many records this program posts in a request.
  package static let usualCount = 500

  package var kind: RecordKind {
    switch self {
    case .metrics: .metrics
    case .workouts: .workouts
    case .sleep: .sleep
    }
  }

  package var count: Int {
    switch self {
    case .metrics(let records): records.count
    case .workouts(let records): records.count
    case .sleep(let records): records.count
    }
  }

  /// The records as JSON, in the members of R56.
  package var values: [JSONValue] {
    switch self {
    case .metrics(let records): records.map(\.json)
    case .workouts(let records): records.map(\.json)
    case .sleep(let records): records.map(\.json)
    }
  }

  /// The body of a request: `{"records":[...]}`.
  package var body: [UInt8] { JSONValue.object(["records": .array(values)]).canonicalBytes }

  /// The records at some places.
  package func taking(_ places: some Sequence<Int>) -> RecordBatch {
    switch self {
    case .metrics(let records): .metrics(places.map { records[$0] })
    case .workouts(let records): .workouts(places.map { records[$0] })
    case .sleep(let records): .sleep(places.map { records[$0] })
    }
  }

  /// The records in batches of at most so many.
  package func pieces(of size: Int) -> [RecordBatch] {
    stride(from: 0, to: count, by: size).map { taking($0..<min($0 + size, count)) }
  }

  /// The batch without the records that a server would refuse, and what is wrong with each of those.
  package func acceptable(
    in bounds: RecordBounds
  ) -> (batch: RecordBatch, refused: [RequestFault]) {
    var (kept, refused): ([Int], [RequestFault]) = ([], [])
    for (place, value) in values.enumerated() {
      do throws(IngestRefusal) {
        _ = try RecordBatch(json: .object(["records": .array([value])]), of: kind, in: bounds)
        kept.append(place)
      } catch {
        refused += error.faults.prefix(1)
      }
    }
    return (taking(kept), refused)
  }
}

/// What a batch of rows came to.
package struct RowCounts: Hashable, Sendable {
  /// Records that were given: inserted and duplicates.
  package var received = 0
  package var inserted = 0
  /// Rows that were there, with another value.
  package var updated = 0
  /// Rows that went, because the newest revision of their day has the metric no more.
  package var deleted = 0

  package var duplicates: Int { received - inserted }

  package init(received: Int = 0, inserted: Int = 0, updated: Int = 0, deleted: Int = 0) {
    (self.received, self.inserted) = (received, inserted)
    (self.updated, self.deleted) = (updated, deleted)
  }

  package static func += (total: inout RowCounts, more: RowCounts) {
    total.received += more.received
    total.inserted += more.inserted
    total.updated += more.updated
    total.deleted += more.deleted
  }
}

extension MetricRecord {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "healthkit_uuid": .string(id), "date": .string("\(date)T00:00:00Z"), "type": .string(type),
      "value": value.map(JSONValue.number) ?? .null,
    ]
    members["unit"] = unit.map(JSONValue.string)
    members["timezone"] = timeZoneName.map(JSONValue.string)
    return .object(members)
  }
}

extension WorkoutRecord {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "healthkit_uuid": .string(id), "type": .string(type), "start_time": .string("\(start)"),
      "end_time": .string("\(end)"), "metrics": .object(metrics.mapValues(JSONValue.number)),
    ]
    members["duration_seconds"] = durationSeconds.map { .number(Double($0)) }
    members["timezone"] = timeZoneName.map(JSONValue.string)
    return .object(members)
  }
}

extension SleepRecord {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "healthkit_uuid": .string(id), "start_time": .string("\(start)"),
      "end_time": .string("\(end)"),
      "value": value.map { .string($0.name) } ?? .null,
    ]
    members["source"] = source.map(JSONValue.string)
    members["qty"] = hours.map(JSONValue.number)
    return .object(members)
  }
}
