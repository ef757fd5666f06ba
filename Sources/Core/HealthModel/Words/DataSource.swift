/// Where a day's data comes from: not the machine that reads it, so two machines that collect one
/// source are one source (R19).
public struct DataSource: RawRepresentable, Hashable, Comparable, Sendable {
  /// The name: 1 to 40 of `a` to `z`, `0` to `9`, `_`, `.` and `-`.
  public let rawValue: String

  /// Nil for a text that does not have the form of a name.
  public init?(rawValue: String) {
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
  public static let appleHealthExport = DataSource(known: "apple_health_export")
  /// Payloads of Health Auto Export, from files.
  public static let healthAutoExport = DataSource(known: "health_auto_export")
  /// An app that reads HealthKit and embeds the library.
  public static let healthKit = DataSource(known: "healthkit")
  /// What the day's raw streams were counted to (R49).
  public static let streams = DataSource(known: "streams")
  /// Numbers that a person or a script wrote down.
  public static let metricsJSON = DataSource(known: "metrics_json")
  /// A document that does not say where its numbers come from.
  public static let unknown = DataSource(known: "unknown")

  /// The names above: any other is a person's own.
  package static let known: Set<DataSource> = [
    .appleHealthExport, .healthAutoExport, .healthKit, .streams, .metricsJSON, .unknown,
  ]

  /// The names that only this program gives: a person's own source needs another one.
  package static let reserved: Set<DataSource> = [.streams, .unknown]

  /// The lesser name sorts first, byte by byte.
  public static func < (a: DataSource, b: DataSource) -> Bool {
    a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8)
  }
}
