import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel

/// The collector's ids: created once, or given (R12).
struct CollectorOptions: ParsableArguments {
  @Option(help: .init("UUID of this installation.", valueName: "uuid"))
  var collectorId: String?

  @Option(help: .init("UUID of this device.", valueName: "uuid"))
  var deviceId: String?

  /// The ids as they are without options.
  static func configured(_ settings: Settings) throws(LedgerError) -> Collector {
    var options = CollectorOptions()
    (options.collectorId, options.deviceId) = (nil, nil)
    return try options.collector(settings)
  }

  /// The ids from options or variables, otherwise those kept in the user's data folder.
  func collector(_ settings: Settings) throws(LedgerError) -> Collector {
    let collectorID = try uuid(collectorId, .collectorID, settings)
    let deviceID = try uuid(deviceId, .deviceID, settings)
    if let collectorID, let deviceID {
      return Collector(collectorID: collectorID, deviceID: deviceID)
    }
    let kept = try CollectorIdentity.loadOrCreate(
      in: URL(filePath: settings.store.directories.data))
    return Collector(
      collectorID: collectorID ?? kept.collectorID, deviceID: deviceID ?? kept.deviceID)
  }

  private func uuid(
    _ given: String?, _ setting: Setting, _ settings: Settings
  ) throws(LedgerError) -> UUID? {
    guard let text = given ?? settings.store[setting]?.value else { return nil }
    guard let uuid = UUID(uuidString: text) else {
      throw LedgerError(
        .invalidArguments, "\(setting.flag) \"\(text)\" is not a UUID", rule: "R12",
        remedy: "give 8-4-4-4-12 hex digits, or leave it out to use this installation's own")
    }
    return uuid
  }
}

/// Which metrics to publish, and what a publish does only on request.
struct PublishOptions: ParsableArguments {
  @Option(
    help: .init(
      "Metrics to publish in addition to the required ones.",
      discussion: "all (the default), v0 for only the required ones, or keys: steps,weight.",
      valueName: "keys"), completion: .metrics, transform: MetricSelection.argument)
  var metrics: MetricSelection = .all

  @Flag(
    help: .init(
      "Let this source's numbers replace all that was captured before now.",
      discussion: "Otherwise the newest and most complete number of each metric counts."))
  var force = false

  @Flag(
    help: .init(
      "Replace whole days, with the metrics that this source does not have.",
      discussion: "Otherwise a day keeps what the source does not have."))
  var replace = false

  @Option(
    name: .customLong("source"),
    help: .init(
      "The name of the source, where two devices have different data of the same kind.",
      discussion: """
        The default is that of the format, such as health_auto_export. Two machines that read one source \
        use one name. a to z, 0 to 9, _, . and -, at most 40.
        """,
      valueName: "name"), transform: DataSource.argument)
  var source: DataSource?

  @Flag(help: "Publish dates in the future as well.")
  var allowFuture = false

  @Flag(
    help: .init(
      "Publish dates before 1900 of metrics JSON as well.",
      discussion: "Samples before 1900 are never read."))
  var allowPast = false
}

extension DataSource {
  /// A source whose words are taken back. Those of the streams would come back with the next look at them.
  static func withdrawn(_ text: String) throws -> DataSource {
    guard let source = DataSource(rawValue: text), source != .streams else {
      throw ValidationError(
        "'\(text.prefix(60))' is not the name of a source that can be withdrawn; s3health get DATE "
          + "--explain names a day's sources")
    }
    return source
  }

  /// The name of a person's source.
  static func argument(_ text: String) throws -> DataSource {
    guard let source = DataSource(rawValue: text), !reserved.contains(source) else {
      throw ValidationError(
        "'\(text.prefix(60))' is not the name of a source: a to z, 0 to 9, _, . and -, at most 40, and "
          + "neither streams nor unknown")
    }
    return source
  }
}

/// `--timezone` of commands that make days of an input: one zone, or several by period (R4).
struct ZonesOption: ParsableArguments {
  @Option(
    help: .init(
      "Reporting time zone. Default: the one that the export names, the store's, or this machine's.",
      discussion: "If you moved: the first zone, then each later zone with its first day: "
        + "--timezone Europe/Paris --timezone America/New_York@2024-03-02, or all in one: "
        + "--timezone 'Europe/Paris, America/New_York@2024-03-02'",
      valueName: "zone"), completion: .timeZones)
  var timezone: [String] = []

  /// The zones as one text, as the configuration file has them; nil if none were given.
  var text: String? { timezone.isEmpty ? nil : timezone.joined(separator: ",") }
}
