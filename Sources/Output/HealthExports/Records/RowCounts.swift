/// What a batch of rows came to.
package struct RowCounts: Hashable, Sendable {
  /// Records that were given: inserted and duplicates.
  package var received = 0
  /// Rows that are new.
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
