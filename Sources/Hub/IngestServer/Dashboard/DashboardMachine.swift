import HealthLedger
import HealthModel
import HealthReport

/// What the dashboard holds, and what it has to read next (R59). Pure.
struct DashboardMachine: Sendable {
  /// After how many seconds everything is read again.
  static let rereadSeconds = 600.0
  /// The same of a store without data: somebody waits for the first.
  static let emptySeconds = 8.0
  /// More changed days than so many are read with one listing.
  static let maximumSingleDays = 10

  /// The parts of the page for one day, which hold until the store is read again.
  struct Parts: Sendable {
    let date: CalendarDate
    let today: HTMLPart
    /// Nil while only the newest days are known.
    let coverage: HTMLPart?
    let content: DashboardContent
    var trends: [DashboardSpan: HTMLPart] = [:]

    init(_ content: DashboardContent) {
      (date, self.content) = (content.today, content)
      today = TodayPart(content).part
      coverage = CoveragePart(content)?.part
    }
  }

  /// What is read of the store.
  enum Reading: Hashable, Sendable {
    case everything
    /// The newest days, because nothing was read before and somebody waits for today's page.
    case recent
    case days(Set<CalendarDate>)
  }

  private let since: Timestamp
  private var activity = Activity()
  /// Days that were published and not yet read.
  private var changed: Set<CalendarDate> = []
  private var wantsAll = false
  private var readAt: Timestamp?
  /// When everything was read last, in seconds since any fixed moment.
  private var readElapsed: Double?
  private var obstacle: String?
  private var statusHasChanged = false
  private var pushes: [DashboardStatus.Push] = []
  private(set) var parts: Parts?
  /// Goals and units as they were when the parts were made.
  private var wishes: DashboardWishes?

  init(since: Timestamp) { self.since = since }

  /// Whether only the newest days are known.
  var isPartial: Bool { parts.map { !$0.content.isWhole } ?? false }

  // MARK: - What happens

  /// A day was made again, or a sweep has ended.
  ///
  /// - Returns: whether anything is to be shown.
  mutating func note(_ event: DayRecompute.Event, at now: Timestamp) -> Bool {
    if case .day(let date, .success(let day), _) = event {
      switch day.outcome {
      case .settled(_, let wrote), .unsettled(let wrote):
        if !wrote.isEmpty { changed.insert(date) }
      case .nothing, .newerRules, nil: break
      }
    }
    let isShown = activity.add(event, at: now)
    statusHasChanged = statusHasChanged || isShown
    return isShown
  }

  mutating func note(_ post: Activity.Post) {
    activity.add(post)
    statusHasChanged = true
  }

  /// Somebody has asked for everything to be read again.
  mutating func ask(_ name: String, at now: Timestamp) {
    activity.add("\(name) asked to sync", at: now, isFailure: false)
    (wantsAll, statusHasChanged) = (true, true)
  }

  /// If goals or units have changed, everything is shown again.
  mutating func note(_ wishes: DashboardWishes) {
    if let before = self.wishes, before != wishes { wantsAll = true }
    self.wishes = wishes
  }

  /// How the pushes of this machine go.
  mutating func note(_ pushes: [DashboardStatus.Push]) {
    guard pushes != self.pushes else { return }
    (self.pushes, statusHasChanged) = (pushes, true)
  }

  /// A day of the store is another than before.
  mutating func note(changed date: CalendarDate) { changed.insert(date) }

  // MARK: - Reading

  /// Whether nothing is known to have changed, and only time has passed since everything was read: a
  /// page shows what is held rather than wait for long.
  func isOnlyOld(_ today: CalendarDate, at elapsed: Double) -> Bool {
    guard let parts, let readElapsed else { return false }
    return parts.date == today && parts.content.first != nil && !wantsAll && changed.isEmpty
      && elapsed - readElapsed > Self.rereadSeconds
  }

  /// What is to be read now; nil for nothing. Whoever takes it reads it.
  ///
  /// - Parameter needsAll: false for a page that needs only the newest days.
  mutating func takeReading(
    _ today: CalendarDate, at elapsed: Double, needsAll: Bool = true
  ) -> Reading? {
    if !wantsAll, let few = few(today, needsAll: needsAll) {
      if few != .recent { changed = [] }
      return few == .days([]) ? nil : few
    }
    let limit =
      parts.map { $0.content.first == nil } == true ? Self.emptySeconds : Self.rereadSeconds
    let isOld = parts?.date != today || (readElapsed.map { elapsed - $0 > limit } ?? true)
    guard isOld || wantsAll || !changed.isEmpty else { return nil }
    defer { (changed, wantsAll) = ([], false) }
    return isOld || wantsAll || changed.count > Self.maximumSingleDays
      ? .everything : .days(changed)
  }

  /// What to read instead of everything, if that is enough: the first page does not wait for two years of
  /// days, and the first page of a new day does not wait for days that are known.
  ///
  /// - Returns: nil if everything has to be read, or if only the time decides.
  private func few(_ today: CalendarDate, needsAll: Bool) -> Reading? {
    guard let parts else { return needsAll ? nil : .recent }
    guard parts.content.first != nil, parts.date <= today, parts.content.isWhole || !needsAll else {
      return nil
    }
    if parts.date == today, parts.content.isWhole { return nil }
    // The day that was today may have new data since it was read.
    let begun = parts.date == today ? [] : Self.days(from: parts.date, to: today)
    let days = changed.union(begun)
    return days.count <= Self.maximumSingleDays ? .days(days) : nil
  }

  /// At most one more than can be read one by one.
  private static func days(from old: CalendarDate, to today: CalendarDate) -> [CalendarDate] {
    (0...min(old.days(until: today), maximumSingleDays)).compactMap { old.adding(days: $0) }
  }

  /// It was read.
  ///
  /// - Returns: whether the part of today is another than before.
  mutating func done(
    _ reading: Reading, _ content: DashboardContent?, at now: Timestamp, _ elapsed: Double
  ) -> Bool {
    if reading == .everything { readElapsed = elapsed }
    statusHasChanged = true
    (readAt, obstacle) = (now, nil)
    guard let content else { return false }
    // Everything was read in the meantime.
    if let parts, parts.date == content.today, parts.content.isWhole, !content.isWhole {
      return false
    }
    let before = parts?.today
    parts = Parts(content)
    return parts?.today != before
  }

  /// The store has answered.
  mutating func reached() {
    statusHasChanged = statusHasChanged || obstacle != nil
    obstacle = nil
  }

  /// It could not be read: it is still to be read.
  mutating func failed(_ reading: Reading?, _ error: LedgerError) {
    switch reading {
    case .everything: wantsAll = true
    // It is read again as long as there is nothing.
    case .recent: break
    case .days(let days): changed.formUnion(days)
    case nil: break
    }
    let word = error.code.rawValue
    statusHasChanged = statusHasChanged || obstacle != word
    obstacle = word
  }

  // MARK: - What is shown

  /// The cards of a span, made once.
  mutating func trends(_ span: DashboardSpan) -> HTMLPart? {
    guard let parts else { return nil }
    if let made = parts.trends[span] { return made }
    let made = TrendsPart(parts.content, span)?.part
    self.parts?.trends[span] = made
    return made
  }

  /// Whether the status is another than when this was asked last.
  mutating func takeStatusChange() -> Bool {
    defer { statusHasChanged = false }
    return statusHasChanged
  }

  /// - Parameter waiting: how many days wait to be made again; nil if another program makes them.
  func status(_ tokens: [AccessToken], waiting: Int?) -> DashboardStatus {
    var status = DashboardStatus(since: since)
    status.senders = tokens.compactMap { token in
      let endpoints = token.device.scope.endpoints.subtracting([.dashboard])
      guard !endpoints.isEmpty else { return nil }
      return DashboardStatus.Sender(
        name: token.name, endpoints: endpoints.map(\.rawValue).sorted().joined(separator: ", "),
        postedAt: activity.posts[token.name])
    }
    (status.waiting, status.sweptAt) = (waiting, activity.sweptAt)
    (status.readAt, status.obstacle) = (readAt, obstacle)
    status.pushes = pushes
    status.log = activity.lines
    return status
  }
}
