import Foundation
package import HealthLedger
package import HealthModel
package import HealthSources
package import S3Store

/// The settings that a command needs: the store, the time zone of the days, and the person's units and
/// goal.
package struct Settings {
  package let store: StoreSettings
  package internal(set) var zone: ZoneSetting
  /// The units of numbers for people.
  package private(set) var units: PersonalUnits
  /// The steps to reach in a day.
  package private(set) var stepGoal: Int

  /// Takes the zone that this machine is set to now, if none was given.
  package mutating func followZone() { zone = zone.current }

  package func inZone(_ name: String) -> Settings {
    var settings = self
    settings.zone = ZoneSetting(given: name, origin: "the store")
    return settings
  }

  /// What a command needs of a person's own settings.
  package enum Need {
    /// The zone, which decides what today is.
    case zone
    /// The zone, and how numbers are shown.
    case pages
    /// All of them, even if others are set here: no day is made for a person with invalid settings.
    case newDays
  }

  /// The settings with which a command shows or takes the days of a person. If no zone is known, it says
  /// so (R43); of new days, whoever takes them says it, when the input has named a zone or not.
  package func ofPerson(_ need: Need = .zone) async throws(LedgerError) -> Settings {
    let settings = try await completed(need)
    if need != .newDays { settings.sayMissingZone() }
    return settings
  }

  /// These settings, completed with those of the chosen person (R64), and with the zone that the store
  /// keeps (R43).
  ///
  /// - Parameter asksStore: whether the store is asked for more than a person's own settings.
  package func completed(
    _ need: Need = .zone, asksStore: Bool = true
  ) async throws(LedgerError) -> Settings {
    var settings = self
    if let person = store.personID, lacks(need) {
      let choices = try await OpenedStore(self).run { ledger async throws(LedgerError) in
        try await ledger.choices()
      }
      settings = try with(choices, of: person, need)
    }
    guard asksStore, settings.zone.isMissing else { return settings }
    do throws(LedgerError) {
      return try await OpenedStore(self).run { ledger async throws(LedgerError) in
        try await settings.withKeptZone(of: ledger)
      }
    } catch {
      // Whatever is wrong with the store stops what is asked of it; a broken zone does not stop a reader.
      guard need != .newDays else { throw error }
      StandardStreams.remark("note: the store's time zone is not known: \(error.message)")
      return settings
    }
  }

  /// The same for one of many people.
  ///
  /// - Parameter ledger: the ledger of that person.
  package func of(
    _ person: PersonID, _ ledger: HealthLedger, _ need: Need = .zone
  ) async throws(LedgerError) -> Settings {
    let settings = lacks(need) ? try with(try await ledger.choices(), of: person, need) : self
    return try await settings.withKeptZone(of: ledger)
  }

  private func lacks(_ need: Need) -> Bool {
    switch need {
    case .zone: !zone.isGiven
    case .pages: !(zone.isGiven && store.person.areUnitsGiven && store.stepGoal != nil)
    case .newDays: true
    }
  }

  private func with(
    _ choices: PersonChoices, of person: PersonID, _ need: Need
  ) throws(LedgerError) -> Settings {
    let whose = "the settings of \(person)"
    var settings = self
    if let text = choices[.timezone] {
      let zone = ZoneSetting(
        given: text, origin: whose,
        remedy: "set another: s3health people set \(person) --timezone Europe/Berlin")
      if need == .newDays { _ = try zone.usable }
      if !self.zone.isGiven { settings.zone = zone }
    }
    guard need != .zone else { return settings }
    do throws(LedgerError) {
      if let units = try choices.chosenUnits, !store.person.areUnitsGiven { settings.units = units }
      if let steps = try choices.chosenGoals?[.steps], store.stepGoal == nil {
        settings.stepGoal = Int(steps)
      }
    } catch {
      var error = error
      error.message = "\(whose): \(error.message)"
      throw error
    }
    return settings
  }

  /// The settings from the command line.
  ///
  /// - Parameter forAllPeople: whether all people of the store are meant, whoever is configured.
  package init(
    _ options: StoreOptions, timeZone: String?, forAllPeople: Bool = false
  ) throws(LedgerError) {
    var given = options.given
    given.meansAllPeople = forAllPeople
    given.take(.timezone, timeZone)
    given.take(.endpointURL, try options.endpoint)
    Program.repeat(given)
    try self.init(given, environment: ProcessInfo.processInfo.environment)
  }

  /// - Parameter file: the configuration file, if it was already read.
  package init(
    _ given: GivenSettings, file: ConfigurationFile? = nil, environment: [String: String]
  ) throws(LedgerError) {
    // No command could check a day.
    guard TimeZoneDatabase.current.source != .missing else {
      throw LedgerError(ReportingDay.Failure.noTimeZoneDatabase)
    }
    store = try StoreSettings(given, file: file, environment: environment)
    zone =
      store[.timezone].map { ZoneSetting(given: $0.value, origin: $0.origin) }
      ?? ZoneSetting(machine: StoreSettings.variable("TZ", environment))
    units = store.person.units
    stepGoal = store.stepGoal ?? Setting.usualSteps
  }

  /// In the order in which `doctor` shows them.
  package var origins: [SettingOrigin] {
    var origins = store.origins
    origins.insert(SettingOrigin("timezone", value: zone.text, origin: zone.origin), at: 1)
    return origins
  }

  /// This machine's clock.
  package var now: Timestamp { LedgerEnvironment.system.now() }

  package var timeZoneName: String { zone.name(at: now) }

  /// The date in the reporting time zone. Throws if the zone does not exist (R4).
  package var today: CalendarDate {
    get throws(LedgerError) { try zone.date(at: now) }
  }

  /// The day before today in the reporting time zone.
  package var yesterday: CalendarDate {
    get throws(LedgerError) {
      let today = try today
      return today.adding(days: -1) ?? today
    }
  }

  /// The date that an argument stands for. A wrong zone from the user is refused even if the date
  /// does not need it, because the user would go on to rely on it. A wrong zone of the machine can
  /// wait, because nobody asked for it.
  ///
  /// - Parameter isSpan: whether several days may be meant, too.
  package func date(
    _ argument: DayArgument, orSpan isSpan: Bool = false
  ) throws(LedgerError) -> CalendarDate {
    if case .date(let date) = argument, !zone.isGiven { return date }
    guard let date = try argument.date(today: try today, orSpan: isSpan) else {
      throw LedgerError(.invalidArguments, "this takes a single date", remedy: "use YYYY-MM-DD")
    }
    return date
  }

  /// When a date begins for the person.
  package func start(of date: CalendarDate) throws(LedgerError) -> Timestamp {
    try worded { () throws(ReportingDay.Failure) in try zone.zones.day(date).start.timestamp }
  }

  package func moment(_ argument: MomentArgument) throws(LedgerError) -> Timestamp {
    switch argument {
    case .moment(let moment): return moment
    case .endOf(let day):
      let date = try date(day)
      return try worded { () throws(ReportingDay.Failure) in
        try ReportingDay(date: date, timeZoneName: timeZoneName).end.timestamp.adding(seconds: -1)
      }
    case .unreadable(let text):
      throw LedgerError(
        .invalidArguments, "\"\(text.prefix(40))\" is not a valid time", rule: "R36",
        remedy:
          "use 2026-02-08T10:00:00Z, 2026-02-08T10:00:00+01:00, or YYYY-MM-DD for the end of that date"
      )
    }
  }
}
