/// The three kinds of records that document 004 posts and stores, one a table.
package enum RecordKind: String, CaseIterable, Sendable {
  case metrics, workouts, sleep
}
