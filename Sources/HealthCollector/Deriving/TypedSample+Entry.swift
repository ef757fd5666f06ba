package import DayCounting
package import HealthModel

/// Why an entry is stored and not counted.
package enum EntryFault: Error, Hashable, Sendable {
  /// No metric is made of samples of this type.
  case type(String)
  /// A category has no such value.
  case category
  /// It lasts longer than `TouchedDates.longestSample`.
  case tooLong
  /// It begins before 2000, or after it was received.
  case time
}

extension TypedSample {
  /// An entry as a sample.
  package init(_ entry: CountedEntry) throws(EntryFault) {
    try EntryFault.check(
      from: entry.entry.start, to: entry.entry.end, receivedAt: entry.receivedAt)
    let type = entry.entry.sampleType ?? ""
    do throws(Fault) {
      try self.init(
        type: type, value: entry.value, unit: entry.unit, source: entry.source,
        hardware: entry.hardware, isUserEntered: entry.isUserEntered,
        start: entry.entry.start.secondsSince1970, end: entry.entry.end.secondsSince1970)
    } catch {
      throw EntryFault(error, of: type)
    }
  }
}

extension EntryFault {
  /// A sample of a type that can't be counted.
  package init(_ fault: TypedSample.Fault, of type: String) {
    switch fault {
    case .type: self = .type(type)
    case .category: self = .category
    }
  }

  /// Throws for a sample at moments of which no day is made.
  package static func check(
    from start: Timestamp, to end: Timestamp, receivedAt: Timestamp
  ) throws(EntryFault) {
    guard start >= TouchedDates.firstMoment,
      start <= receivedAt.adding(seconds: TouchedDates.tolerance)
    else { throw .time }
    guard end.secondsSince1970 - start.secondsSince1970 <= TouchedDates.longestSample else {
      throw .tooLong
    }
  }
}
