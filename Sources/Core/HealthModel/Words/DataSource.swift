/// Where a day's data comes from: not the machine that reads it, so two machines that collect one
/// source are one source.
package struct DataSource: RawRepresentable, Hashable, Comparable, Sendable {
  /// The name: 1 to 40 of `a` to `z`, `0` to `9`, `_`, `.` and `-`.
  package let rawValue: String

  /// Nil for a text that does not have the form of a name.
  package init?(rawValue: String) {
    let bytes = rawValue.utf8
    let isName = bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isName, (1...40).contains(bytes.count) else { return nil }
    self.rawValue = rawValue
  }

  private init(known: String) { rawValue = known }

  /// Apple Health's export.
  package static let appleHealthExport = DataSource(known: "apple_health_export")
  /// Payloads of Health Auto Export, from files.
  package static let healthAutoExport = DataSource(known: "health_auto_export")
  /// An app that reads HealthKit and embeds the library.
  package static let healthKit = DataSource(known: "healthkit")
  /// What the day's raw streams were counted to.
  package static let streams = DataSource(known: "streams")
  /// Numbers that a person or a script wrote down.
  package static let metricsJSON = DataSource(known: "metrics_json")
  /// A document that does not say where its numbers come from.
  package static let unknown = DataSource(known: "unknown")

  /// The names that only this program gives: a person's own source needs another one.
  package static let reserved: Set<DataSource> = [.streams, .unknown]

  /// The lesser name sorts first, byte by byte.
  package static func < (a: DataSource, b: DataSource) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }
}
