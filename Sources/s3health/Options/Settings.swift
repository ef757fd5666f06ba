import Foundation
import HealthLedger
import HealthModel
import HealthSources
import Intake
import S3Store
import StoreAccess

/// What a command knows before it works: the store's settings, and the zone of the days.
struct Settings {
  let store: StoreSettings
  let zone: ZoneSetting

  /// What the command line says.
  init(_ options: StoreOptions, timeZone: String?) throws(LedgerError) {
    var given = options.given
    given.timeZone = timeZone.map { Given($0, by: "--timezone") }
    given.endpoint = try options.endpoint.map { Given($0, by: "--endpoint-url") }
    try self.init(given, environment: ProcessInfo.processInfo.environment)
  }

  /// - Parameter file: the configuration file, where it is at hand.
  init(
    _ given: GivenSettings, file: ConfigurationFile? = nil, environment: [String: String]
  ) throws(LedgerError) {
    do throws(SettingsError) {
      store = try StoreSettings(given, file: file, environment: environment)
    } catch {
      throw LedgerError(error)
    }
    zone =
      store.timeZone.map { ZoneSetting(given: $0.value, origin: $0.origin) }
      ?? ZoneSetting(machine: StoreSettings.variable("TZ", environment))
  }

  /// In the order that `doctor` shows.
  var origins: [SettingOrigin] {
    var origins = store.origins
    origins.insert(SettingOrigin("timezone", value: zone.text, origin: zone.origin), at: 1)
    return origins
  }

  /// This machine's clock.
  var now: Timestamp { LedgerEnvironment.system.now() }

  /// The zone that holds now.
  var timeZoneName: String { zone.name(at: now) }

  /// The date in the reporting time zone; fails where the zone's name is none (R4).
  var today: CalendarDate {
    get throws(LedgerError) { try worded(try zone.date(at: now)) }
  }

  /// The day before today in the reporting time zone.
  var yesterday: CalendarDate {
    get throws(LedgerError) {
      let today = try today
      return today.adding(days: -1) ?? today
    }
  }

  /// The date that an argument means. A wrong zone that was given is refused even where the date
  /// needs none: it would go on to be trusted. The machine's is nobody's wish: it can wait.
  func date(_ argument: DayArgument) throws(LedgerError) -> CalendarDate {
    if case .date(let date) = argument, !zone.isGiven { return date }
    guard let date = try argument.date(today: try today) else {
      throw LedgerError(.invalidArguments, "one date is needed here", remedy: "use YYYY-MM-DD")
    }
    return date
  }

  /// The moment that an argument means.
  func moment(_ argument: MomentArgument) throws(LedgerError) -> Timestamp {
    switch argument {
    case .moment(let moment): return moment
    case .endOf(let day):
      let date = try date(day)
      do throws(ReportingDay.Failure) {
        return try ReportingDay(date: date, timeZoneName: timeZoneName).end.timestamp
          .adding(seconds: -1)
      } catch {
        throw LedgerError(IntakeError(error))
      }
    case .unreadable(let text):
      throw LedgerError(
        .invalidArguments, "\"\(text.prefix(40))\" is not a valid time", rule: "R36",
        remedy: "use 2026-02-08T10:00:00Z, 2026-02-08T10:00:00+01:00, or YYYY-MM-DD for its end")
    }
  }
}

extension OpenedStore {
  /// Opens the store that the settings name; an S3 store is not contacted yet.
  init(
    _ settings: Settings, for purpose: Purpose = .reading
  ) throws(LedgerError) {
    try self.init(settings.store, for: purpose)
  }

  /// The same of the store's settings alone.
  ///
  /// - Parameter tune: changes what an S3 store does beyond its configuration.
  init(
    _ settings: StoreSettings, for purpose: Purpose,
    tune: (inout S3Store.Options) -> Void = { _ in }
  ) throws(LedgerError) {
    do throws(SettingsError) {
      try self.init(
        settings, for: purpose, userAgent: "s3health/\(Program.version)", tune: tune)
    } catch {
      throw LedgerError(error)
    }
  }
}
