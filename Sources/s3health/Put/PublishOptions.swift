import ArgumentParser
import Foundation
import HealthLedger
import HealthModel
import HealthSamples
import StoreAccess

/// Who publishes: two ids that were made once, or that are given (R12).
struct CollectorOptions: ParsableArguments {
  @Option(help: .init("UUID of this installation.", valueName: "uuid"))
  var collectorId: String?

  @Option(help: .init("UUID of this device.", valueName: "uuid"))
  var deviceId: String?

  /// The ids given by flag or variable, else those kept in the user's data folder.
  func collector(_ settings: Settings) throws(LedgerError) -> Collector {
    let collectorID = try uuid(
      collectorId ?? Self.variable("S3HEALTH_COLLECTOR_ID", settings), "--collector-id")
    let deviceID = try uuid(
      deviceId ?? Self.variable("S3HEALTH_DEVICE_ID", settings), "--device-id")
    if let collectorID, let deviceID {
      return Collector(collectorID: collectorID, deviceID: deviceID)
    }
    let kept = try CollectorIdentity.loadOrCreate(
      in: URL(filePath: settings.store.directories.data))
    return Collector(
      collectorID: collectorID ?? kept.collectorID, deviceID: deviceID ?? kept.deviceID)
  }

  private static func variable(_ name: String, _ settings: Settings) -> String? {
    StoreSettings.variable(name, settings.store.environment)
  }

  private func uuid(_ text: String?, _ flag: String) throws(LedgerError) -> UUID? {
    guard let text else { return nil }
    guard let uuid = UUID(uuidString: text) else {
      throw LedgerError(
        .invalidArguments, "\(flag) \"\(text)\" is not a UUID", rule: "R12",
        remedy: "give 8-4-4-4-12 hex digits, or leave it out to keep this installation's own")
    }
    return uuid
  }
}

/// Which metrics are published, and what a publish refuses, or skips, unless it is asked for.
struct PublishOptions: ParsableArguments {
  @Option(
    help: .init(
      "Metrics to publish beside the eight, which are always published.",
      discussion: "all (the default), v0 for the eight alone, or keys: steps,weight.",
      valueName: "keys"), transform: MetricSelection.argument)
  var metrics: MetricSelection = .all

  @Flag(
    help: .init(
      "Publish also where the store has data that was captured later.",
      discussion: "Else such a day is skipped, which is said."))
  var force = false

  @Flag(help: "Publish also dates that are still to come.")
  var allowFuture = false
}
