/// The three kinds of records that document 004 posts and stores, one table each (R56).
package enum RecordKind: String, CaseIterable, Hashable, Sendable {
  case metrics, workouts, sleep

  /// The last part of the endpoint's path: `/api/ingest/health-metrics`.
  package var endpoint: String { "health-\(rawValue)" }

  /// The table of the rows.
  package var table: String { "ios_apple_health_\(rawValue)" }

  /// The table of the older pipeline, which is only ever read.
  package var legacyTable: String { "apple_health_\(rawValue)" }
}
