import ArgumentParser
import CommandLineKit
import Foundation
import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams

/// A live view (R58): a loop that reads what has changed, publishes what is due, and draws again.
actor WatchRun {
  /// Where the view goes.
  enum Output: Sendable {
    /// A terminal that the view fills.
    case screen
    case lines
    case documents
  }

  private var reader: DayReader
  private let output: Output
  private let publishes: Bool
  /// Pushes what was published, where a push is configured; why it failed, or nil.
  private let push: (@Sendable () async -> String?)?
  private let screen = ScreenSession()

  private var view: WatchView
  private var today: CalendarDate
  private var reading = Job()
  private var lookingBack = Job()
  private var publishing = Job()
  /// The first news that is not published yet.
  private var firstNews: ContinuousClock.Instant?
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
  private var hasEnded = false
  private var failure: LedgerError?

  /// Something that is done again and again, never twice at once.
  private struct Job {
    /// When it is to be done; nil if nothing asks for it.
    var due: ContinuousClock.Instant?
    private(set) var isRunning = false
    private(set) var failures = 0

    var isIdle: Bool { due == nil && !isRunning }

    /// Whether it begins now.
    mutating func begins() -> Bool {
      guard !isRunning, let due, due <= .now else { return false }
      (isRunning, self.due) = (true, nil)
      return true
    }

    /// After a failure it is tried again: after so many seconds, twice as many, and so on.
    mutating func ended(succeeded: Bool, retryAfter seconds: Int) {
      isRunning = false
      failures = succeeded ? 0 : failures + 1
      if !succeeded, due == nil {
        due = .now + .seconds(min(300, seconds << min(failures - 1, 10)))
      }
    }
  }

  /// From news to its publish, so that many changes make one revision; and the most while news goes on.
  private static let joining = (usual: Duration.seconds(10), most: Duration.seconds(60))

  init(
    _ reader: DayReader, goal: Int, output: Output, publishes: Bool,
    push: (@Sendable () async -> String?)? = nil
  ) throws(LedgerError) {
    (self.reader, self.output, self.publishes) = (reader, output, publishes)
    self.push = push
    let now = reader.settings.now
    let date = try reader.settings.today
    today = date
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

  /// Shows the view until the task is cancelled, or `q` is typed.
  func live() async throws(LedgerError) {
    if case .screen = output {
      screen.open()
      endAtKey()
    }
    defer { close() }
    (reading.due, lookingBack.due) = (.now, .now)
    let changes = SourceChanges(reader)
    let looking = Task.detached { await changes.run { await self.sourceChanged() } }
    while !hasEnded, !Task.isCancelled, failure == nil {
      turn()
      draw()
      try? await Task.sleep(for: .milliseconds(200))
    }
    looking.cancel()
    // Its own task: this one may be cancelled.
    if !publishing.isIdle { await Task { await publishLast() }.value }
    if let failure { throw failure }
  }

  /// Gives the terminal back; for a signal, too.
  nonisolated func close() { screen.close() }

  private func sourceChanged() { reading.due = .now }

  /// `q` ends the view as the end of the program does: what waits is published.
  private func endAtKey() {
    // Waits in a system call, so it has a thread of its own.
    DispatchQueue(label: "s3health.watch.keys").async {
      if ScreenSession.isTyped(UInt8(ascii: "q")) { Task { await self.end() } }
    }
  }

  private func end() { hasEnded = true }

  /// Begins what is due. The date may have changed, forwards or backwards.
  private func turn() {
    reader.settings.followZone()
    // The zone was checked at the start.
    let date = (try? reader.settings.zone.date(at: reader.settings.now)) ?? today
    if date != today {
      today = date
      (view.lastUpdated, hasRead) = (nil, false)
      (reading.due, lookingBack.due) = (.now, .now)
      update(at: reader.settings.now)
    }
    if reading.begins() { read() }
    if lookingBack.begins() { lookBack() }
    // What is being read may be newer than what would be published.
    if !reading.isRunning, publishing.begins() { publish() }
  }

  private func read() {
    let (reader, run) = (reader, run(today))
    Task {
      do throws(LedgerError) {
        let days = try await reader.days(of: run)
        let isNews = !hasRead || days.numbers != found.numbers
        (found, hasRead, readError) = (days, true, nil)
        if isNews {
          view.lastUpdated = reader.settings.now
          noteNews()
        }
      } catch {
        // The numbers stay, and the view says so.
        readError = error
      }
      reading.ended(succeeded: readError == nil, retryAfter: 1)
      update(at: reader.settings.now)
    }
  }

  private func noteNews() {
    // A store that fails is not asked more often because there is news.
    guard publishes, publishing.failures == 0 || publishing.due == nil else { return }
    let first = firstNews ?? .now
    firstNews = first
    publishing.due = min(.now + Self.joining.usual, first + Self.joining.most)
  }

  private func lookBack() {
    let (reader, week) = (reader, week(before: today))
    Task {
      do throws(LedgerError) {
        stored = try await reader.stored(week)
        storeError = nil
        lookingBack.due = .now + .seconds(900)
      } catch {
        storeError = error
      }
      lookingBack.ended(succeeded: storeError == nil, retryAfter: 5)
      update(at: reader.settings.now)
    }
  }

  // MARK: - Publishing

  private var unpublished: [DayDraft] {
    found.drafts.filter { draft in
      published[draft.day.date].map { !draft.hasSameFigures(as: $0) } ?? true
    }
  }

  private func publish() {
    let (reader, drafts, run) = (reader, unpublished, run(today))
    firstNews = nil
    Task {
      var stored = 0
      do throws(LedgerError) {
        if !drafts.isEmpty {
          let notes: [String]
          (stored, notes) = try await reader.publish(drafts, of: run)
          keep(drafts, stored: stored, notes)
        }
        publishError = nil
      } catch {
        publishError = error
        publishing.due = nil
      }
      publishing.ended(succeeded: publishError == nil, retryAfter: 30)
      // The next day's numbers need not wait for a gateway.
      if stored > 0, let push { pushError = await push() }
      update(at: reader.settings.now)
    }
  }

  private func keep(_ drafts: [DayDraft], stored: Int, _ notes: [String]) {
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
      let (stored, notes) = try await reader.publish(drafts, of: run(today))
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
          try StandardStreams.write(try JSONValue(encoding: view.document))
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
