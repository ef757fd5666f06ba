import Foundation
import HealthCollector
import HealthEvents
import HealthExports
import HealthLedger
public import HealthModel
import HealthStreams
public import Secrets
import SyncClients

extension PhoneService {
  /// Publishes today and the days before it where they have changed. Nothing while the stream of Health
  /// is off.
  func recompute() async throws {
    guard settings.streams.contains(.healthKit) else { return }
    // Without the permission HealthKit shows nothing, which is not a day without data.
    guard health.status == .authorized else {
      throw PhoneFailure("E005: Health access is denied; \(PhonePermission.health.remedy)")
    }
    let ledger = try ledger()
    let (zone, today) = (environment.timeZoneName(), try today())
    try change { $0.zones.note(zone, today: today) }
    let run = RunID(at: environment.now())
    // Today first, so that a run that is cut short has at least today.
    for day in try window().reversed() {
      try Task.checkCancellation()
      var totals = try await totals(of: day)
      let readings = totals.readings
      // A day of which nothing is known is left out, and is never a zero.
      guard !readings.isEmpty else { continue }
      var draft = DayDraft(
        day: day, collector: identity, readings: readings, capturedAt: environment.now())
      draft.run = run
      _ = try await ledger.publish(draft)
      if settings.gateways.contains(where: \.isOn) {
        details[day.date] = try await detail(of: totals)
      }
    }
  }

  /// Pushes what the ledger says of these days to each gateway. One that fails does not stop the
  /// others. Nothing while the stream of Health is off.
  func push() async throws {
    guard settings.streams.contains(.healthKit) else { return }
    let gateways = settings.gateways.filter(\.isOn)
    guard !gateways.isEmpty else { return }
    let (ledger, days) = (try ledger(), try window())
    var revisions: [DailyRevision] = []
    for day in days {
      if let latest = try await ledger.resolve(day.date).latest {
        revisions.append(latest.revision)
      }
    }
    guard let today = days.last else { return }
    let details = await details(of: days)
    let selection = settings.pushSelection
    // All at once, so that one that hangs does not delay the others.
    let pushes = gateways.map { gateway in
      (
        gateway,
        Task {
          try await client(of: gateway).push(
            revisions, today: today.date, details: details, selection: selection)
        }
      )
    }
    var failures: [(reason: String, error: any Error)] = []
    for (gateway, push) in pushes {
      let result = await withTaskCancellationHandler {
        await push.result
      } onCancel: {
        push.cancel()
      }
      switch result {
      case .success(let count):
        log(
          count == 0 ? .nothingToPush : .pushSucceeded,
          count == 0 ? "No metrics to push" : "\(count) samples are in \(gateway.url)")
        let now = environment.now()
        try change { $0.lastPushes[gateway.id] = now }
      case .failure where Task.isCancelled: continue
      case .failure(let error):
        failures.append(("\(gateway.url): \(error)", error))
        log(.pushFailed, "\(gateway.url): \(error)")
      }
    }
    try Task.checkCancellation()
    guard let first = failures.first else { return await tell([.succeeded(.push)]) }
    // One event for all gateways, so that the person is told once while any of them fails.
    let areOffline = failures.allSatisfy { ($0.error as? ClientError)?.code == .unreachable }
    await tell([.failed(.push, reason: first.reason, isOffline: areOffline)])
    throw first.error
  }

  /// Pushes a number of a test to a gateway, and takes it away.
  ///
  /// - Returns: why it can't, for the person; nil where it took the number.
  public func test(_ gateway: PhoneGateway) async -> String? {
    await refusal(of: gateway) { (client) throws(ClientError) in try await client.test() }
  }

  /// Takes away what was pushed to a gateway. One that can't be reached keeps it.
  ///
  /// - Returns: why it can't, for the person.
  public func clear(_ gateway: PhoneGateway) async -> String? {
    await refusal(of: gateway) { (client) throws(ClientError) in try await client.clear() }
  }

  /// Why a request to a gateway failed, for the person; nil if it succeeded.
  private func refusal(
    of gateway: PhoneGateway, _ ask: (GatewayClient) async throws(ClientError) -> Void
  ) async -> String? {
    do {
      let client = try client(of: gateway)
      // A single `catch` for both error types crashes the optimiser of Swift 6.3.
      do throws(ClientError) {
        try await ask(client)
        return nil
      } catch {
        return "\(error)"
      }
    } catch {
      return "\(error)"
    }
  }

  /// Keeps a gateway's password; nil forgets it.
  public func keep(password: Secret?, of gateway: PhoneGateway) throws {
    guard let password else { return try environment.secrets.forget(named: gateway.passwordName) }
    try environment.secrets.keep(password, named: gateway.passwordName)
  }

  /// The numbers of the days before today, as far as the ledger has them.
  public func daysBeforeToday() async throws -> [CalendarDate: [DailyMetric: Double]] {
    try await revisionsBeforeToday().mapValues(\.readings.numbers)
  }

  /// The days before today, as far as the ledger has them.
  func revisionsBeforeToday() async throws -> [CalendarDate: DailyRevision] {
    let ledger = try ledger()
    var days: [CalendarDate: DailyRevision] = [:]
    for day in try window().dropLast() {
      days[day.date] = try await ledger.resolve(day.date).latest?.revision
    }
    return days
  }

  /// The date of today in the person's zone.
  public func today() throws -> CalendarDate {
    try ReportingDay.date(at: environment.now(), timeZoneName: environment.timeZoneName())
  }

  private func client(of gateway: PhoneGateway) throws -> GatewayClient {
    let login: GatewayClient.Login? =
      gateway.user.isEmpty
      ? nil
      : .password(
        user: gateway.user,
        try environment.secrets.secret(named: gateway.passwordName) ?? Secret(""))
    return try GatewayClient(
      gateway.url, job: PhoneGateway.job, instance: gateway.instance, login: login,
      file: files.pushed(gateway), allowsPlaintext: gateway.allowsPlaintext,
      timeout: .seconds(10))
  }

  /// The days that a run looks at, ending with today. Dates that the zone skipped are left out.
  private func window() throws -> [ReportingDay] {
    CollectorRun(today: try today()).dates.compactMap(day(of:))
  }

  /// A date in the zone in which it was published first, which a flight does not change (R4); nil for
  /// one that the zone skipped.
  func day(of date: CalendarDate) -> ReportingDay? {
    let zone = settings.zones.zone(of: date) ?? environment.timeZoneName()
    return try? ReportingDay(date: date, timeZoneName: zone)
  }

  /// What the samples of a day say beyond the numbers: of all that were published last, and of today in
  /// any case. One that can't be read costs the labels and not the push.
  private func details(of days: [ReportingDay]) async -> [PushedDetail] {
    let dates = Set(days.map(\.date))
    details = details.filter { dates.contains($0.key) }
    if let today = days.last, details[today.date] == nil,
      let totals = try? await totals(of: today)
    {
      details[today.date] = try? await detail(of: totals)
    }
    return days.compactMap { details[$0.date] }
  }

  private func detail(of totals: LiveTotals) async throws -> PushedDetail {
    var detail = PushedDetail(try totals.detail, on: totals.date)
    // Those of earlier days are not pushed.
    guard totals.date == (try today()) else { return detail }
    let day = totals.day
    for workout in try await health.workouts(from: day.start.timestamp, to: day.end.timestamp) {
      detail.add(workout)
    }
    return detail
  }

  /// What the samples of a day make, by the ledger's own rules.
  func readings(of day: ReportingDay) async throws -> [DailyMetric: MetricReading] {
    var totals = try await totals(of: day)
    return totals.readings
  }

  private func totals(of day: ReportingDay) async throws -> LiveTotals {
    var totals = try LiveTotals(of: day.date, timeZoneName: day.timeZoneName)
    // A night begins on the day before.
    let from = day.start.timestamp.adding(seconds: -86_400)
    // After a flight to the east the day before may end later. Samples in both days belong to the earlier one.
    let taken = day.date.adding(days: -1).flatMap(day(of:))?.end.timestamp ?? from
    let overlaps = taken > day.start.timestamp
    for kind in SampleKind.allCases {
      try Task.checkCancellation()
      var samples = try await health.samples(
        of: kind, from: from, to: day.end.timestamp)
      if overlaps, kind != .sleepAnalysis { samples.removeAll { $0.start < taken } }
      guard !samples.isEmpty else { continue }
      totals.apply(
        SampleChanges(added: samples, deleted: [], newAnchor: [], isComplete: true),
        of: kind.identifier, at: environment.now())
    }
    return totals
  }
}
