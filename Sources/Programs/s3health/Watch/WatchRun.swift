import ArgumentParser
import CommandLineKit
import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams

/// A live view: carries out what `WatchMachine` decides (R58), and shows the numbers.
actor WatchRun {
  /// Where the view goes.
  enum Output: Sendable {
    /// A terminal that the view fills.
    case screen
    /// A line of text for each change.
    case lines
    /// A document for each change.
    case documents
  }

  private var reader: DayReader
  private let output: Output
  private let publishes: Bool
  /// Pushes what was published, where a push is configured; why it failed, or nil.
  private let push: (@Sendable () async -> String?)?
  private let screen = ScreenSession()
  private let clock = SuspendingClock()
  private let begin = SuspendingClock.now

  private var view: WatchView
  private var machine: WatchMachine
  private var found = WatchedDays()
  private var hasRead = false
  private var stored = DayReader.StoredDays()
  /// What was published, or found to be so in the store, by date.
  private var published: [CalendarDate: DayDraft] = [:]
  private var readError: LedgerError?
  private var storeError: LedgerError?
  private var publishError: LedgerError?
  private var pushError: String?
  /// What a corrected zone changed.
  private var correctionNotes: [String] = []
  private var shown: [String] = []
  private var lastDocument: WatchView?
  private var tasks: [Task<Void, Never>] = []
  private var failure: LedgerError?

  init(
    _ reader: DayReader, goal: Int, output: Output, publishes: Bool,
    push: (@Sendable () async -> String?)? = nil
  ) throws(LedgerError) {
    (self.reader, self.output, self.publishes) = (reader, output, publishes)
    self.push = push
    let now = reader.settings.now
    let date = try reader.settings.today
    machine = WatchMachine(
      at: .init(wall: now, date: date, uptime: 0), publishes: publishes)
    view = WatchView(
      comparison: DayComparison(date, days: [:]), zone: reader.settings.zone.name(at: now),
      source: reader.source.name, goal: goal, units: reader.settings.units)
  }

  // MARK: - Once

  /// Reads everything one time.
  ///
  /// - Throws: what failed; DATA_NOT_FOUND if the source has nothing of today.
  func once() async throws(LedgerError) -> WatchView {
    let run = run(view.comparison.date)
    found = try await reader.days(of: run)
    hasRead = true
    do throws(LedgerError) {
      stored = try await reader.stored(week(before: run.today))
    } catch {
      storeError = error
    }
    if publishes { correctionNotes = try await reader.publish(found.drafts, of: run).notes }
    update(at: reader.settings.now)
    guard !view.comparison.today.isEmpty else {
      throw LedgerError(
        .dataNotFound, "\(reader.source.name) has no data for \(run.today) yet",
        remedy: "leave out --once to wait for it")
    }
    return view
  }

  // MARK: - Live

  /// Shows the view until the task is cancelled.
  func live() async throws(LedgerError) {
    if case .screen = output { screen.open() }
    defer { close() }
    let (events, sender) = AsyncStream.makeStream(of: WatchMachine.Event.self)
    listen(sender)
    if case .screen = output { endAtKey(sender) }
    sender.yield(.woke)
    draw()
    for await event in events {
      await take(event, sender)
      if failure != nil || Task.isCancelled { break }
      draw()
    }
    for task in tasks { task.cancel() }
    // Its own task: this one may be cancelled.
    if machine.hasUnpublishedNews { await Task { await publishLast() }.value }
    if let failure { throw failure }
  }

  /// Gives the terminal back; for a signal, too.
  nonisolated func close() { screen.close() }

  private func listen(_ sender: AsyncStream<WatchMachine.Event>.Continuation) {
    tasks.append(
      Task.detached {
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(1))
          sender.yield(.woke)
        }
        sender.finish()
      })
    switch reader.source {
    case .path(let path, _):
      // Waits in system calls, so it has a thread of its own.
      DispatchQueue(label: "s3health.watch").async {
        FileEvents(path).run {
          if case .terminated = sender.yield(.changed) { return false }
          return true
        }
      }
    case .streams:
      let changes = StreamChanges(reader)
      tasks.append(Task.detached { await changes.run { sender.yield(.changed) } })
    }
  }

  /// `q` ends the view as the end of the program does: what waits is published.
  private func endAtKey(_ sender: AsyncStream<WatchMachine.Event>.Continuation) {
    // Waits in a system call, so it has a thread of its own.
    DispatchQueue(label: "s3health.watch.keys").async {
      if ScreenSession.isTyped(UInt8(ascii: "q")) { sender.finish() }
    }
  }

  private func moment() -> WatchMachine.Moment {
    reader.settings.followZone()
    let now = reader.settings.now
    let uptime = Int((clock.now - begin) / .milliseconds(1))
    // The zone was checked at the start.
    let date = (try? reader.settings.zone.date(at: now)) ?? view.comparison.date
    return .init(wall: now, date: date, uptime: uptime)
  }

  private func take(
    _ event: WatchMachine.Event, _ sender: AsyncStream<WatchMachine.Event>.Continuation
  ) async {
    for action in machine.handle(event, at: moment()) {
      switch action {
      case .beginDay:
        (view.lastUpdated, hasRead) = (nil, false)
        update(at: reader.settings.now)
      case .read: read(sender)
      case .lookBack: lookBack(sender)
      case .publish: publish(sender)
      }
    }
    wake(sender)
  }

  /// Wakes when the next pause is over, if that is before the next tick.
  private func wake(_ sender: AsyncStream<WatchMachine.Event>.Continuation) {
    guard let due = machine.dueAt else { return }
    let rest = due - moment().uptime
    guard (1..<1000).contains(rest) else { return }
    Task.detached {
      try? await Task.sleep(for: .milliseconds(rest))
      sender.yield(.woke)
    }
  }

  private func read(_ sender: AsyncStream<WatchMachine.Event>.Continuation) {
    let (reader, run) = (reader, run(moment().date))
    Task {
      let result: Result<WatchedDays, LedgerError>
      do throws(LedgerError) {
        result = .success(try await reader.days(of: run))
      } catch {
        result = .failure(error)
      }
      sender.yield(took(result))
    }
  }

  /// Keeps what was read. Where that failed, the numbers stay, and the view says so.
  private func took(_ result: Result<WatchedDays, LedgerError>) -> WatchMachine.Event {
    switch result {
    case .failure(let error):
      readError = error
      update(at: reader.settings.now)
      return .readFailed
    case .success(let days):
      readError = nil
      let isNews = !hasRead || days.numbers != found.numbers
      (found, hasRead) = (days, true)
      if isNews { view.lastUpdated = reader.settings.now }
      update(at: reader.settings.now)
      return .read(isNews: isNews)
    }
  }

  private func lookBack(_ sender: AsyncStream<WatchMachine.Event>.Continuation) {
    let (reader, week) = (reader, week(before: moment().date))
    Task {
      do throws(LedgerError) {
        stored = try await reader.stored(week)
        storeError = nil
        sender.yield(.lookedBack(succeeded: true))
      } catch {
        storeError = error
        sender.yield(.lookedBack(succeeded: false))
      }
      update(at: reader.settings.now)
    }
  }

  // MARK: - Publishing

  private var unpublished: [DayDraft] {
    found.drafts.filter { draft in
      published[draft.day.date].map { !draft.hasSameFigures(as: $0) } ?? true
    }
  }

  private func publish(_ sender: AsyncStream<WatchMachine.Event>.Continuation) {
    let (reader, drafts, run) = (reader, unpublished, run(moment().date))
    guard !drafts.isEmpty else {
      sender.yield(.published(succeeded: true))
      return
    }
    Task {
      do throws(LedgerError) {
        let (stored, notes) = try await reader.publish(drafts, of: run)
        keep(drafts, stored: stored, notes)
        sender.yield(.published(succeeded: true))
        // In this task: the next day's numbers need not wait for a gateway.
        if stored > 0, let push { pushError = await push() }
      } catch {
        publishError = error
        sender.yield(.published(succeeded: false))
      }
      update(at: reader.settings.now)
    }
  }

  private func keep(_ drafts: [DayDraft], stored: Int, _ notes: [String]) {
    publishError = nil
    correctionNotes += notes
    for draft in drafts { published[draft.day.date] = draft }
    let at = view.clock(reader.settings.now)
    if stored > 0 || view.publishing == nil {
      view.publishing = stored == 0 ? "Published: nothing new at \(at)" : "Published \(at)"
    }
  }

  /// What the view has shown is not left unpublished only because the person goes.
  private func publishLast() async {
    let drafts = unpublished
    guard publishes, !drafts.isEmpty else { return }
    do throws(LedgerError) {
      let (stored, notes) = try await reader.publish(drafts, of: run(moment().date))
      keep(drafts, stored: stored, notes)
    } catch {
      failure = failure ?? error
    }
  }

  // MARK: - The view

  private func run(_ today: CalendarDate) -> CollectorRun {
    // Streams are derived day by day, so only those that can still change.
    if case .streams = reader.source { return CollectorRun(today: today, catchUpDays: 1) }
    return CollectorRun(today: today)
  }

  private func week(before today: CalendarDate) -> ClosedRange<CalendarDate> {
    (today.adding(days: -DayComparison.weekDays) ?? today)...today
  }

  private func update(at now: Timestamp) {
    let date = (try? reader.settings.zone.date(at: now)) ?? view.comparison.date
    // Of today only what the source says: the store may be behind. Of the days before, what is
    // published, and the source's where nothing is.
    var days = found.numbers.filter { $0.key <= date }
    for (day, numbers) in stored.numbers where day < date { days[day] = numbers }
    let partial = stored.partial.filter { $0.key < date }
    view.comparison = DayComparison(date, days: days, partial: partial)
    view.zone = reader.settings.zone.name(at: now)
    if view.lastUpdated == nil, hasRead { view.lastUpdated = now }
    view.isLive = hasRead && readError == nil
    var notes = correctionNotes
    if let readError { notes.append("can't be read now: \(readError.message)") }
    if let storeError { notes.append("the store can't be read now: \(storeError.message)") }
    if !partial.isEmpty {
      let dates = partial.sorted { $0.key < $1.key }
        .compactMap { date, partial in partial.words.map { "\(date) \($0)" } }
      notes.append("of a part of the day, so not in the mean: \(dates.joined(separator: ", "))")
    }
    let damaged = stored.damaged.filter { $0 < date }
    if !damaged.isEmpty {
      let dates = damaged.map { "\($0)" }.joined(separator: ", ")
      notes.append("damaged in the store, so their numbers may be wrong: \(dates)")
    }
    if let publishError {
      notes.append("not published yet: \(publishError.message)")
    }
    if let pushError { notes.append("not pushed to Prometheus: \(pushError)") }
    view.notes = notes
  }

  private func draw() {
    switch output {
    case .screen:
      let lines = WatchScreen(
        view: view, terminal: .standardOutput(), height: Terminal.standardOutputHeight
      ).lines
      if lines != shown { screen.draw(lines) }
      shown = lines
    case .lines, .documents:
      // Nothing is known before the first read, nor after midnight before the next one.
      guard hasRead || readError != nil, view != lastDocument else { return }
      lastDocument = view
      do throws(LedgerError) {
        if case .documents = output {
          try StandardStreams.write(view.document)
        } else {
          let line = view.line
          if line != shown.first { try StandardStreams.writeLine(line) }
          shown = [line]
        }
      } catch {
        failure = error
      }
    }
  }
}

/// Asks a store again and again which batches there are that bear on today.
///
/// What arrives is nearly always of this hour. So each time only today's batches of the devices that
/// are known, and the payloads that touch today, are listed, and everything else now and then.
private struct StreamChanges: Sendable {
  private let reader: DayReader

  init(_ reader: DayReader) { self.reader = reader }

  /// A folder and a server of the person's own are asked each second. AWS charges for each request.
  private var interval: Duration { reader.opened.hasPricedRequests ? .seconds(5) : .seconds(1) }
  /// How many times only today is listed before everything is.
  private static let turnsOfToday = 9

  func run(_ changed: () -> Void) async {
    var known: Set<String>?
    var (devices, turn): ([String], Int) = ([], 0)
    while !Task.isCancelled {
      do {
        let isWhole = known == nil || turn >= Self.turnsOfToday
        turn = isWhole ? 0 : turn + 1
        if isWhole { devices = try await reader.opened.streams.devices(of: .healthKit) }
        let found = try await batches(of: isWhole ? nil : devices)
        if isWhole ? found != known : !found.isSubset(of: known ?? []) { changed() }
        known = isWhole ? found : known?.union(found)
        try? await Task.sleep(for: interval)
      } catch {
        // What fails here fails in the reading, too, which says so.
        known = nil
        changed()
        try? await Task.sleep(for: .seconds(30))
      }
    }
  }

  /// The batches that bear on today: all, or those of some devices that begin today.
  private func batches(of devices: [String]?) async throws -> Set<String> {
    let (streams, today) = (try reader.opened.streams, try reader.settings.today)
    var found = try await streams.payloads(touching: today).batches
    if let devices {
      let date = reader.settings.now.utcDate
      for device in devices {
        found += try await streams.batches(of: .healthKit, device: device, on: date...date).batches
      }
    } else {
      let dates = (today.adding(days: -3) ?? today)...(today.adding(days: 1) ?? today)
      found += try await streams.batches(of: .healthKit, on: dates).batches
    }
    return Set(found.map(\.key.rawValue))
  }
}
