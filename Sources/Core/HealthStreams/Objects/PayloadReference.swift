package import HealthModel
import ObjectStore

/// By what the days find the payloads that touch them (R55): a small object beside the payload, in
/// whose key stand the first and the last date that the payload can touch in any zone.
///
/// It is created before its payload, so a payload that is stored is always found. One without a
/// payload means nothing: the payload may still arrive.
package struct PayloadReference: Hashable, Sendable {
  /// The dates that the payload can touch.
  package let dates: ClosedRange<CalendarDate>
  /// The folder: `YYYY/MM`, or `long` for a payload of more than `longest` days.
  package let folder: String
  package let deviceID: String
  /// The date under which the payload is filed.
  package let filed: CalendarDate
  package let batchID: String

  /// The most days of a payload that is found by months.
  static let longest = 62
  /// What every reference contains.
  static let content = Array("{}".utf8)

  /// The references to a stored batch.
  ///
  /// - Parameter spans: the moments that its payloads touch.
  static func all(
    to batchID: String, of deviceID: String, filed: CalendarDate,
    touching spans: [ClosedRange<Timestamp>]
  ) -> [PayloadReference] {
    guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max()
    else { return [] }
    // A date begins and ends up to 14 hours from where it does in UTC, and a night follows it.
    let (from, to) = (first.utcDate.adding(days: -1), last.utcDate.adding(days: 1))
    let dates = (from ?? first.utcDate)...(to ?? last.utcDate)
    return places(of: dates).map { folder in
      PayloadReference(
        dates: dates, folder: folder, deviceID: deviceID, filed: filed, batchID: batchID)
    }
  }

  /// The folders in which a payload of these dates is named.
  private static func places(of dates: ClosedRange<CalendarDate>) -> [String] {
    dates.lowerBound.days(until: dates.upperBound) <= longest ? months(of: dates) : [long]
  }

  /// The folders that name the payloads of some dates.
  static func folders(of dates: ClosedRange<CalendarDate>) -> [String] {
    months(of: dates) + [long]
  }

  /// The folder of payloads of more than `longest` days, which comes after those of all months.
  static let long = "long"

  private static func months(of dates: ClosedRange<CalendarDate>) -> [String] {
    let all = (0...dates.lowerBound.days(until: dates.upperBound)).compactMap {
      dates.lowerBound.adding(days: $0)
    }
    return Set(all.map(month)).sorted()
  }

  /// `YYYY/MM`.
  static func month(_ date: CalendarDate) -> String {
    String(date.parts(joinedBy: "/").prefix(7))
  }
}

extension StreamLayout {
  /// The prefix of all references to payloads.
  var referencesPrefix: String { rootPrefix + ".payloads/" }

  func key(of reference: PayloadReference) -> ObjectKey {
    let dates = "\(reference.dates.lowerBound).\(reference.dates.upperBound)"
    return key(
      referencesPrefix
        + [
          reference.folder, dates, reference.deviceID, "\(reference.filed)", reference.batchID,
        ].joined(separator: "/"))
  }

  /// Parses a key of a reference in a folder; nil for any other key.
  func reference(_ key: String, in folder: String) -> PayloadReference? {
    let prefix = referencesPrefix + folder + "/"
    guard key.utf8.starts(with: prefix.utf8) else { return nil }
    let parts = key.utf8.dropFirst(prefix.utf8.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    guard parts.count == 4, parts[0].utf8.count == 21,
      let first = CalendarDate(parts[0].prefix(10)), let last = CalendarDate(parts[0].suffix(10)),
      first <= last, UUIDText.lowercased(parts[1])?.utf8.elementsEqual(parts[1].utf8) == true,
      let filed = CalendarDate(parts[2]), Self.isBatchID(parts[3])
    else { return nil }
    return PayloadReference(
      dates: first...last, folder: folder, deviceID: parts[1], filed: filed, batchID: parts[3])
  }
}
