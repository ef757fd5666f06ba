package import DayCounting
import HealthModel

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
  package init(_ entry: CountedEntries.Entry) throws(EntryFault) {
    let (start, end) = (entry.entry.start, entry.entry.end)
    guard start >= TouchedDates.firstMoment,
      start <= entry.receivedAt.adding(seconds: TouchedDates.tolerance)
    else { throw .time }
    guard end.secondsSince1970 - start.secondsSince1970 <= TouchedDates.longestSample else {
      throw .tooLong
    }
    let type = entry.entry.sampleType ?? ""
    do throws(Fault) {
      try self.init(
        type: type, value: entry.value, unit: entry.unit, source: entry.source,
        hardware: entry.hardware, isUserEntered: entry.isUserEntered,
        start: start.secondsSince1970, end: end.secondsSince1970)
    } catch {
      switch error {
      case .type: throw .type(type)
      case .category: throw .category
      }
    }
  }
}
