import Foundation
import HealthCollector
import HealthEvents
import HealthLedger
public import HealthModel
import HealthStreams
public import Secrets
import SyncClients

extension PhoneService {
  /// Publishes today and the days before it where they have changed.
  func recompute() async throws {
    // Without the permission HealthKit shows nothing, which is not a day without data.
    guard environment.health.status == .authorized else {
      throw PhoneFailure("E005: Health access is denied; \(PhonePermission.health.remedy)")
    }
    let ledger = try ledger()
    for day in try window() {
      try Task.checkCancellation()
      let readings = try await readings(of: day)
      // A day of which nothing is known is left out, and is never a zero.
      guard !readings.isEmpty else { continue }
      _ = try await ledger.publish(
        DayDraft(
          day: day, collector: identity, readings: readings, capturedAt: environment.now()))
    }
  }

  /// Pushes what the ledger says of these days to each gateway. One that fails does not stop the
  /// others.
  func push() async throws {
    let gateways = settings.gateways.filter(\.isOn)
    guard !gateways.isEmpty else { return }
    let (ledger, days) = (try ledger(), try window())
    var revisions: [DailyRevision] = []
    for day in days {
      if let latest = try await ledger.resolve(day.date).latest {
        revisions.append(only(settings.pushedMetrics, of: latest.revision))
      }
    }
    guard let today = days.last else { return }
    var failure: (any Error)?
    for gateway in gateways {
      do {
        let count = try await client(of: gateway).push(revisions, today: today.date)
        log(
          count == 0 ? .nothingToPush : .pushSucceeded,
          count == 0 ? "No metrics to push" : "\(count) samples are in \(gateway.url)")
        await tell([.succeeded(.push)])
      } catch {
        failure = failure ?? error
        await failed(
          .push, .pushFailed, "\(gateway.url): \(error)",
          isOffline: (error as? ClientError)?.code == .unreachable)
      }
    }
    if let failure { throw failure }
  }

  /// Pushes a number of a test to a gateway, and takes it away.
  ///
  /// - Returns: why it can't, for the person; nil where it took the number.
  public func test(_ gateway: PhoneGateway) async -> String? {
    do {
      try await client(of: gateway).test()
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Takes away what was pushed to a gateway. One that can't be reached keeps it.
  ///
  /// - Returns: why it can't, for the person.
  public func clear(_ gateway: PhoneGateway) async -> String? {
    do {
      try await client(of: gateway).clear()
      return nil
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
    let ledger = try ledger()
    var days: [CalendarDate: [DailyMetric: Double]] = [:]
    for day in try window().dropLast() {
      guard let latest = try await ledger.resolve(day.date).latest else { continue }
      var numbers: [DailyMetric: Double] = [:]
      for metric in DailyMetric.allCases {
        numbers[metric] = latest.revision.reading(of: metric).number
      }
      days[day.date] = numbers
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
      file: files.pushed(gateway), timeout: .seconds(10))
  }

  /// The days that a run looks at, ending with today. A date that the zone skipped is none.
  private func window() throws -> [ReportingDay] {
    let zone = environment.timeZoneName()
    return CollectorRun(today: try today()).dates.compactMap {
      try? ReportingDay(date: $0, timeZoneName: zone)
    }
  }

  /// What the samples of a day make, by the ledger's own rules.
  func readings(of day: ReportingDay) async throws -> [DailyMetric: MetricReading] {
    var totals = try LiveTotals(of: day.date, timeZoneName: day.timeZoneName)
    // A night begins on the day before.
    let from = day.start.timestamp.adding(seconds: -86_400)
    for kind in SampleKind.allCases {
      try Task.checkCancellation()
      let samples = try await environment.health.samples(
        of: kind, from: from, to: day.end.timestamp)
      guard !samples.isEmpty else { continue }
      totals.apply(
        SampleChanges(added: samples, deleted: [], newAnchor: [], isComplete: true),
        of: kind.identifier, at: environment.now())
    }
    return totals.readings
  }

  private func only(_ metrics: Set<DailyMetric>?, of revision: DailyRevision) -> DailyRevision {
    guard let metrics else { return revision }
    var readings: [DailyMetric: MetricReading] = [:]
    for metric in metrics { readings[metric] = revision.reading(of: metric) }
    return DailyRevision(
      day: revision.day, generatedAt: revision.generatedAt, collector: revision.collector,
      readings: readings)
  }
}
