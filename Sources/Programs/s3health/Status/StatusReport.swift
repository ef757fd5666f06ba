import ArgumentParser
import CommandLineKit
import HealthEvents
import HealthExports
import HealthLedger
import HealthModel
import HealthStreams
import Outbox

/// Whether the data is fresh and everything runs: what is in the store and on this machine, and what is
/// wrong with it.
struct StatusReport: CommandResult {
  /// The newest day of the store.
  struct Newest {
    let date: CalendarDate
    /// Nil if none of its revisions is readable.
    let revision: DailyRevision?
    /// Those that its numbers are from.
    let sources: [String]
    /// Sources that have fallen silent, which days with the numbers of others hide.
    let silences: [SourceCourse.Silence]
    /// The last day with a number, at most so long before today that a source may be silent.
    let lastNumber: CalendarDate?
  }

  private let settings: Settings
  /// The outbox's file, and what it holds; nil if there is none yet.
  let outboxPath: String
  private(set) var outbox: SyncStatus?
  /// The last event of a collector's run.
  private(set) var collect: LogEvent?
  let pushes: [PushRecord]
  private(set) var storeName: String
  private(set) var newest: Newest?
  private(set) var checks: [DiagnosticCheck] = []
  /// Whether no upload succeeded for as long as was asked for; nil if nothing was asked for.
  let isTooOld: Bool?

  private var now: Timestamp { settings.now }

  /// - Parameter maximumAge: seconds after which the last upload is too long ago.
  init(_ given: Settings, _ file: OutboxFile, maximumAge: Int?) async {
    settings = given
    storeName = given.store.location.name
    outboxPath = file.path
    pushes = PushFile(given.store).load().memory.records
    var outboxFailure: LedgerError?
    do throws(LedgerError) {
      outbox = try queued(try Outbox.ifPresent(file)?.status())
    } catch {
      outboxFailure = error
    }
    isTooOld = maximumAge.map { [outbox] age in
      guard let last = outbox?.lastSuccessfulSyncDate else { return true }
      return given.now.secondsSince1970 - last.secondsSince1970 > age
    }
    let collected: DiagnosticCheck
    do throws(LedgerError) {
      collect = try lastCollect()
      collected = collectCheck
    } catch {
      collected = .failed("last collect", error)
    }
    await checkStore()
    checks.append(collected)
    if let outboxFailure {
      checks.append(.failed("outbox", outboxFailure))
    } else {
      checks += [syncCheck, waitingCheck]
    }
    checks += pushChecks
    checks.append(await scheduleCheck)
  }

  // MARK: - The store

  private mutating func checkStore() async {
    do throws(LedgerError) {
      let own = try await settings.completed(asksStore: false)
      let opened = try OpenedStore(own)
      storeName = opened.name
      let zoned = try await opened.run { ledger async throws(LedgerError) in
        try await own.withKeptZone(of: ledger)
      }
      let zone = await opened.missingZoneCheck(zoned)
      await checkNewest(in: opened, zoned, isWaiting: zone?.isWaiting ?? false)
      if let zone { checks.append(zone.check) }
    } catch {
      checks.append(.failed("newest day", error))
    }
  }

  /// Looks for the newest day, by the zone of the person.
  ///
  /// - Parameter isWaiting: whether days wait for that zone.
  private mutating func checkNewest(
    in opened: OpenedStore, _ settings: Settings, isWaiting: Bool
  ) async {
    do throws(LedgerError) {
      let today = try settings.today
      let found = try await opened.read(settings) { ledger async throws(LedgerError) in
        try await Self.newest(in: ledger, around: today, at: settings.now)
      }
      newest = found
      checks += newestChecks(found, today: today)
    } catch  where error.code == .dataNotFound && isServersClient {
      checks.append(.ok("newest day", "days are made by the server that this machine uploads to"))
    } catch {
      var error = error
      if isWaiting, error.code == .dataNotFound {
        error.message += ": they wait for your time zone"
        error.remedy = .text(settings.settingZone())
      }
      checks.append(.failed("newest day", error))
    }
  }

  /// Whether this machine uploads to a server and has no store of its own.
  private var isServersClient: Bool {
    settings.store.hasUsualStore && (try? ServerAccess(settings.store).load()) != nil
  }

  private static func newest(
    in ledger: HealthLedger, around today: CalendarDate, at now: Timestamp
  ) async throws(LedgerError) -> Newest {
    let date = try await ledger.newestDay(around: today)
    let revision = try await ledger.resolve(date).latest?.revision
    let words = revision?.metricSources.flatMap(\.shown) ?? []
    var course = SourceCourse()
    var lastNumber = revision.flatMap { $0.readings.hasNumber ? date : nil }
    if let first = today.adding(days: -SourceCourse.reach - SourceCourse.days), first <= date {
      try await ledger.resolve(try DateRange(from: first, to: date)) { resolution in
        guard let latest = resolution.latest else { return }
        course.add(latest.revision)
        if latest.revision.readings.hasNumber { lastNumber = resolution.date }
      }
    }
    return Newest(
      date: date, revision: revision, sources: Set(words.map(\.source.rawValue)).sorted(),
      silences: course.silences(at: now), lastNumber: lastNumber)
  }

  private func newestChecks(_ newest: Newest, today: CalendarDate) -> [DiagnosticCheck] {
    let name = "newest day"
    let words = "\(newest.date), \(newest.date.ago(today))"
    guard let revision = newest.revision else {
      return [
        .failing(
          name, words + ": none of its revisions is readable",
          remedy: .text("s3health verify \(newest.date)"))
      ]
    }
    var published = words + "; published \(revision.generatedAt.ago(now))"
    if !revision.readings.hasNumber {
      published +=
        "; it has no number, and the last day with one is "
        + (newest.lastNumber.map { "\($0), \($0.ago(today))" }
          ?? "more than \(SourceCourse.reach) days ago")
    }
    let sources = newest.sources.isEmpty ? ["none has a number of it"] : newest.sources
    // Today may have none yet.
    let isFresh = newest.lastNumber.map { $0.days(until: today) <= 1 } ?? false
    let remedy = LedgerError.Remedy.text(
      settings.store.source.map {
        collectFailed
          ? "first what the last collect needs"
          : "s3health collect; if it finds nothing, \($0.path.printable) has nothing newer"
      } ?? "s3health import FILE, or: s3health config set source PATH")
    let told = ([sources.joined(separator: ", ")] + newest.silences.map(\.words))
      .joined(separator: "; ")
    return [
      isFresh
        ? .ok(name, published) : .warning(name, published, remedy: remedy),
      newest.silences.isEmpty ? .ok("sources", told) : .warning("sources", told, remedy: remedy),
    ]
  }

  // MARK: - Collect

  /// The last run of the source in the settings. Where none is set, an input that was given by hand counts
  /// once it has worked.
  private func lastCollect() throws(LedgerError) -> LogEvent? {
    let source = settings.store.source?.path
    var reader = EventLogReader(EventLog(folder: settings.store.directories.data))
    defer { reader.end() }
    var (last, worked): (LogEvent?, Set<String>) = (nil, [])
    while true {
      let events = try reader.read()
      if events.isEmpty { return last }
      for event in events {
        let hasWorked = event.type == LogEvent.Kind.collectSucceeded.rawValue
        guard hasWorked || event.type == LogEvent.Kind.collectFailed.rawValue else { continue }
        let input = event.details["source"]?.stringValue
        if hasWorked, let input { worked.insert(input) }
        let counts =
          source.map { (input ?? $0) == $0 } ?? input.map(worked.contains) ?? hasWorked
        if counts { last = event }
      }
    }
  }

  private var collectFailed: Bool { collect?.type == LogEvent.Kind.collectFailed.rawValue }

  private var collectCheck: DiagnosticCheck {
    let (name, command) = ("last collect", "s3health collect")
    guard let collect else {
      return settings.store.source == nil
        ? .ok(name, "never, and no source is set")
        : .warning(name, "never, although a source is set", remedy: .text(command))
    }
    let ago = collect.timestamp.ago(now)
    if collectFailed {
      let first = collect.details["remedy"]?.stringValue.map { "\($0); then: " } ?? ""
      let input = collect.details["source"]?.stringValue ?? settings.store.source?.path
      let option = input == settings.store.source?.path ? "" : " --input \(input ?? "PATH")"
      return .failing(
        name, "failed \(ago): \(collect.message)", remedy: .text(first + command + option))
    }
    let counts = ["days", "stored"].compactMap {
      collect.details[$0]?.numberValue.flatMap(Int.init(exactly:))?.grouped
    }
    guard counts.count == 2 else { return .ok(name, ago) }
    let days = counts[0] == "1" ? "day" : "days"
    return .ok(name, "\(ago): looked at \(counts[0]) \(days), stored \(counts[1])")
  }

  // MARK: - The outbox

  private var syncCheck: DiagnosticCheck {
    let (name, command) = ("last sync", "s3health raw sync")
    let success = outbox?.lastSuccessfulSyncDate
    let waiting = outbox?.uploadStats.waiting ?? 0
    let words = success.map { $0.ago(now) } ?? "never"
    if let error = outbox?.lastError, waiting > 0, success.map({ $0 <= error.date }) ?? true {
      return .failing(
        name,
        "failed \(error.date.ago(now)): \(error.code): \(error.message); it worked last: "
          + words, remedy: .text(command))
    }
    let last = outbox?.lastUploadDate ?? Timestamp(secondsSince1970: 0)
    let isIdle = now.secondsSince1970 - last.secondsSince1970 > 86_400
    if isTooOld == true || waiting > 0 && isIdle {
      return .warning(
        name, words, remedy: .text("\(command), or by itself: s3health schedule install sync"))
    }
    return .ok(name, words)
  }

  private var waitingCheck: DiagnosticCheck {
    let name = "waiting"
    guard let outbox else { return .ok(name, "nothing") }
    let (stats, space) = (outbox.uploadStats, outbox.space)
    let counts = outbox.streamCounts.filter { $0.value.waiting > 0 }
      .sorted { $0.key.shortName < $1.key.shortName }
      .map { "\($0.value.waiting.grouped) \($0.key.shortName)" }
    var words = counts.isEmpty ? "nothing" : "raw data: \(counts.joined(separator: ", "))"
    if stats.failed > 0 { words += "; \(stats.failed.grouped) of them failed" }
    if outbox.gapCount > 0 {
      words += outbox.gapCount == 1 ? "; 1 gap" : "; \(outbox.gapCount.grouped) gaps"
      words += ": entries that were dropped without an upload"
    }
    let steps = outbox.gaps.prefix(10).map(\.words)
    if space.level != .enough {
      return .warning(
        name, words + "; only \(SyncWords.size(space.usable)) are free",
        remedy: "free some space: without it the oldest entries are dropped", steps: steps)
    }
    guard stats.failed == 0 else {
      return .warning(
        name, words, remedy: "s3health raw sync --retry-failed", steps: steps)
    }
    return .ok(name, words, steps: steps)
  }

  // MARK: - Pushes and the schedule

  /// The pushes to the gateways of the settings or, where none is set, to those that have taken one: an address
  /// that has never worked was tried by hand, and whoever tried it has seen it fail.
  private var pushChecks: [DiagnosticCheck] {
    let name = "last push"
    let gateways = settings.store.gateways.map { given in
      (try? GatewayAddress(given.value, job: GatewayAddress.usualJob, instance: ""))?.url
        ?? given.value
    }
    var checks: [DiagnosticCheck] = []
    for record in pushes {
      let isSet = gateways.contains(record.gateway)
      guard isSet || record.lastSuccess != nil else { continue }
      let success = record.lastSuccess.map(ago) ?? "never"
      let place = "\(record.gateway) as \(record.instance)"
      if record.failures > 0, let failure = record.lastFailure, isSet || gateways.isEmpty {
        checks.append(
          .failing(
            name,
            "to \(place) failed \(ago(failure.at)): \(failure.message); it worked last: "
              + success,
            remedy: .text("s3health push" + (isSet ? "" : " --gateway \(record.gateway)"))))
      } else {
        checks.append(.ok(name, "\(success) to \(place), \(record.samples.grouped) samples"))
      }
    }
    for gateway in gateways where !pushes.contains(where: { $0.gateway == gateway }) {
      checks.append(
        .warning(
          name, "never to \(gateway), although it is set", remedy: .text("s3health push")))
    }
    return checks.isEmpty ? [.ok(name, "never, and no gateway is set")] : checks
  }

  private func ago(_ seconds: Int) -> String { Timestamp(secondsSince1970: seconds).ago(now) }

  private var scheduleCheck: DiagnosticCheck {
    get async {
      let (name, system) = ("schedule", ScheduleSystem.native)
      var states: [(job: String, isActive: Bool)] = []
      for job in ScheduledJob.allCases {
        guard let isActive = await system.isActive(job) else { continue }
        states.append((job.rawValue, isActive))
      }
      let idle = states.filter { !$0.isActive }.map(\.job).joined(separator: " ")
      guard idle.isEmpty else {
        return .failing(
          name, "installed, and does not run: \(idle)",
          remedy: .text("s3health schedule install \(idle)"))
      }
      let jobs = states.map(\.job).joined(separator: ", ")
      return .ok(name, jobs.isEmpty ? "nothing runs by itself" : "\(jobs) run by themselves")
    }
  }

  // MARK: - Text

  var exitCode: ExitCode { checks.exitCode }

  func lines(_ terminal: Terminal) -> [String] {
    if Diagnostics.isQuiet, exitCode == .success { return [] }
    let wrong = checks.filter(\.isWrong).map(\.name)
    let verdict =
      wrong.isEmpty
      ? terminal.styled("All is well.", .good)
      : terminal.styled("Not well: \(wrong.joined(separator: ", ")).", .doubtful)
    return [terminal.styled(storeName.printable, .strong)]
      + checks.lines(terminal, inDetail: Diagnostics.isVerbose) + [verdict]
  }
}

extension SyncStatus.Counts {
  fileprivate var waiting: Int { pending + failed }
}

extension SyncStatus.Gap {
  fileprivate var words: String {
    let why =
      switch GapReason(rawValue: reason) {
      case .space: "because the disk was full,"
      case .refused: "because the receiver refused them,"
      case .user, nil: "by the user,"
      }
    return "\(start) to \(end)  \(stream)  \(entries.grouped) entries, \(why) on \(droppedAt)"
  }
}
