package import HealthModel
package import HealthStreams

package struct CountedEntry: Sendable {
  package let entry: StreamEntry
  /// The feed that the entry names, else that of its batch: an outbox sends the entries of several
  /// feeds in one batch.
  package let feed: String
  /// When the first create of the batch was made, by the writer's clock.
  package let receivedAt: Timestamp
  /// The sample's number, unit and source; 0 and empty for a deletion.
  package let value: Double
  package let unit: String
  package let source: String
  /// The model of the device, such as `Watch6,2`; empty where the entry names none.
  package let hardware: String
  /// Whether the person typed it in.
  package let isUserEntered: Bool

  /// An entry of a batch; nil if its bytes are not a JSON object.
  ///
  /// - Parameter feed: the feed of its object.
  package init?(_ entry: StreamEntry, feed: String, receivedAt: Timestamp) {
    guard let members = try? JSONValue(parsing: entry.bytes), case .object = members else {
      return nil
    }
    (self.entry, self.receivedAt) = (entry, receivedAt)
    self.feed = members["feed"]?.stringValue ?? feed
    value = members["value"]?.numberValue ?? 0
    unit = members["unit"]?.stringValue ?? ""
    source = members["source"]?.stringValue ?? ""
    hardware = members["hardware"]?.stringValue ?? ""
    isUserEntered = members["user_entered"] == .bool(true)
  }
}

extension TypedSample {
  /// An entry as a sample.
  package init(_ entry: CountedEntry) throws(Fault) {
    try Self.check(from: entry.entry.start, to: entry.entry.end, receivedAt: entry.receivedAt)
    try self.init(
      type: entry.entry.sampleType ?? "", value: entry.value, unit: entry.unit,
      source: entry.source, hardware: entry.hardware, isUserEntered: entry.isUserEntered,
      start: entry.entry.start.secondsSince1970, end: entry.entry.end.secondsSince1970)
  }

  /// Throws for a sample at moments of which no day is made.
  package static func check(
    from start: Timestamp, to end: Timestamp, receivedAt: Timestamp
  ) throws(Fault) {
    guard start >= TouchedDates.firstMoment,
      start <= receivedAt.adding(seconds: TouchedDates.tolerance)
    else { throw .time }
    guard end.secondsSince1970 - start.secondsSince1970 <= TouchedDates.longestSample else {
      throw .tooLong
    }
  }
}
