package import HealthExports
package import HealthModel

/// What a metric's value of a day goes by: the newer one wins, by time and then by id.
package struct MetricOrder: Hashable, Comparable, Sendable {
  package let moment: PreciseMoment
  package let id: String

  package init(moment: PreciseMoment, id: String) { (self.moment, self.id) = (moment, id) }

  /// The order of a revision of the ledger.
  ///
  /// - Parameter moment: since when the ledger has had the number; nil for the moment of the revision.
  package init(_ revision: RevisionID, since moment: PreciseMoment? = nil) {
    self.init(moment: moment ?? PreciseMoment(revision.timestamp), id: revision.rawValue)
  }

  package static func < (a: MetricOrder, b: MetricOrder) -> Bool {
    a.moment == b.moment
      ? a.id.utf8.lexicographicallyPrecedes(b.id.utf8) : a.moment < b.moment
  }
}

/// What is said of one metric of one day.
package struct MetricChange: Hashable, Sendable {
  /// Who says it. Either one's newest word counts, whatever the other says.
  package enum Origin: String, CaseIterable, Hashable, Sendable {
    /// A revision of the ledger.
    case revision
    /// Records that were posted.
    case posted
  }

  package struct Value: Hashable, Sendable {
    /// Nil for a row whose value is null: only what was posted has such.
    package let number: Double?
    package let unit: String?
    package let timeZoneName: String?

    package init(number: Double?, unit: String?, timeZoneName: String?) {
      (self.number, self.unit, self.timeZoneName) = (number, unit, timeZoneName)
    }
  }

  /// `{date}_{type}`.
  package let id: String
  package let order: MetricOrder
  /// Nil where the day has the metric no more.
  package let value: Value?

  package init(id: String, order: MetricOrder, value: Value?) {
    (self.id, self.order, self.value) = (id, order, value)
  }

  package init(_ record: MetricRecord, order: MetricOrder) {
    self.init(
      id: record.id, order: order,
      value: Value(
        number: record.value, unit: record.unit, timeZoneName: record.timeZoneName))
  }

  /// Whether this is newer than another change of the same origin. Revisions compare by their ids,
  /// because the moment is the one since which the ledger has had the number.
  func isNewer(than other: MetricChange, from origin: Origin) -> Bool {
    switch origin {
    case .posted: other.order < order
    // The earlier moment is of whoever has looked further back.
    case .revision where order.id == other.order.id: order.moment < other.order.moment
    case .revision: other.order.id.utf8.lexicographicallyPrecedes(order.id.utf8)
    }
  }

  /// The changes that a revision makes to its day: each of the 28 metrics has a value, or none.
  ///
  /// - Parameter since: by type, since when the ledger has had this number.
  package static func changes(
    _ revision: DailyRevision, id: RevisionID, since: [String: PreciseMoment] = [:]
  ) -> [MetricChange] {
    let order = MetricOrder(id)
    let records = MetricRecord.records(of: revision)
    let held = Set(records.map(\.type))
    return records.map { MetricChange($0, order: MetricOrder(id, since: since[$0.type])) }
      + MetricRecord.given.map(\.recordType).filter { !held.contains($0) }.map {
        MetricChange(id: MetricRecord.id(revision.date, $0), order: order, value: nil)
      }
  }
}
