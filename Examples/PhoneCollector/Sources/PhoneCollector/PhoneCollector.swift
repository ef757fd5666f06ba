import Foundation
import HealthLedger
import HealthModel
import ObjectStore

/// Publishes a day twice, as a phone would in the morning and at night, and reads it back.
///
/// On a phone the folder would lie in iCloud Drive, and the readings would come from HealthKit.
@main
struct PhoneCollector {
  static func main() async throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "phone-collector-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }

    // Who we are: made at the first start, found again ever after.
    let collector = try CollectorIdentity.loadOrCreate(in: home.appending(path: "settings"))
    let store = try DirectoryStore(root: home.appending(path: "ledger"), createsRoot: true)
    let ledger = HealthLedger(store: store)

    let zone = "Europe/Berlin"
    let date = try ReportingDay.date(at: .now, timeZoneName: zone)
    let day = try ReportingDay(date: date, timeZoneName: zone)

    let morning = try await ledger.publish(
      DayDraft(
        day: day, collector: collector,
        readings: [.steps: .value(1250), .sleepAsleep: .value(431), .restingHeartRate: .noData]))
    print("\(date) morning: \(morning.word) \(morning.revisionID)")

    let evening = DayDraft(
      day: day, collector: collector,
      readings: [
        .steps: .value(9874), .sleepAsleep: .value(431), .restingHeartRate: .value(58),
        .heartRateVariability: .unauthorized,
      ])
    let night = try await ledger.publish(evening)
    print("\(date) night:   \(night.word) \(night.revisionID)")

    let again = try await ledger.publish(evening)
    print("\(date) again:   \(again.word) \(again.revisionID)")

    let resolution = try await ledger.resolve(date)
    guard let latest = resolution.latest, latest.id == night.revisionID,
      latest.revision.readings[.steps] == .value(9874),
      latest.revision.readings[.heartRateVariability] == .unauthorized,
      latest.revision.readings[.standHours] == .noData,
      latest.revision.collector == collector, !resolution.pointerDisagrees,
      again == .unchanged(night.revisionID),
      try await ledger.history(date) == [morning.revisionID, night.revisionID]
    else {
      FileHandle.standardError.write(Data("what was read is not what was published\n".utf8))
      exit(1)
    }
    print("\(date) read:    \(latest.id), \(latest.body.count) bytes, \(day.start) to \(day.end)")
  }
}
