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
  private var hasChanged = false
  private var pushes: [DashboardStatus.Push] = []
  private(set) var parts: Parts?
  /// Goals and units as they were when the parts were made.
  private var settings: DashboardSettings?

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
    hasChanged = hasChanged || isShown
    return isShown
  }

  /// A request has brought data, or was to.
  mutating func note(_ post: RequestRecord) {
    activity.add(post)
    hasChanged = true
  }

  /// Somebody has asked for everything to be read again.
  mutating func ask(_ name: String, at now: Timestamp) {
    activity.add("\(name) asked to sync", at: now, isFailure: false)
    (wantsAll, hasChanged) = (true, true)
  }

  /// If goals or units have changed, everything is shown again.
  mutating func note(_ settings: DashboardSettings) {
    if let before = self.settings, before != settings { wantsAll = true }
    self.settings = settings
  }

  /// How the pushes of this machine go.
  mutating func note(_ pushes: [DashboardStatus.Push]) {
    guard pushes != self.pushes else { return }
    (self.pushes, hasChanged) = (pushes, true)
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
  mutating func done(
    _ reading: Reading, _ content: DashboardContent?, at now: Timestamp, _ elapsed: Double
  ) {
    if reading == .everything { readElapsed = elapsed }
    hasChanged = true
    (readAt, obstacle) = (now, nil)
    guard let content else { return }
    // Everything was read in the meantime.
    if let parts, parts.date == content.today, parts.content.isWhole, !content.isWhole { return }
    parts = Parts(content)
  }

  /// The store has answered.
  mutating func reached() {
    hasChanged = hasChanged || obstacle != nil
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
    hasChanged = hasChanged || obstacle != word
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

  /// Whether the pages show something else than when this was asked last.
  mutating func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  /// - Parameter waiting: how many days wait to be made again; nil if another program makes them.
  func status(_ tokens: [AccessToken], waiting: Int?) -> DashboardStatus {
    var status = DashboardStatus(since: since)
    status.senders = tokens.compactMap { token in
      let endpoints = token.device.endpoints.subtracting([.dashboard])
      guard !endpoints.isEmpty else { return nil }
      return DashboardStatus.Sender(
        name: token.name, endpoints: endpoints.map(\.rawValue).sorted().joined(separator: ", "),
        postedAt: activity.posts[token.name]?.at,
        leftOut: activity.posts[token.name]?.counts.leftOut)
    }
    (status.waiting, status.sweptAt) = (waiting, activity.sweptAt)
    (status.readAt, status.obstacle) = (readAt, obstacle)
    status.pushes = pushes
    status.log = activity.lines
    return status
  }
}

/// What the hub did lately, and when each token posted last (R59): no health values, no secrets,
/// nothing that a client chose. Pure.
struct Activity: Hashable, Sendable {
  /// The most lines that are kept.
  static let maximumLines = 50

  private(set) var lines: [DashboardStatus.Line] = []
  /// The last of each token that was taken.
  private(set) var posts: [String: RequestRecord] = [:]
  private(set) var sweptAt: Timestamp?

  /// A request that brought data, or was to.
  mutating func add(_ post: RequestRecord) {
    guard let device = post.device else { return }
    let (isFailure, counts) = (post.status >= 400, post.counts)
    if !isFailure { posts[device] = post }
    var words = ["\(device) posted to \(post.path)"]
    if let count = counts.received { words.append("\(count) received") }
    if let count = counts.inserted { words.append("\(count) new") }
    if let count = counts.refused, count > 0 { words.append("\(count) refused") }
    if let leftOut = counts.leftOut { words.append("left out: \(leftOut)") }
    if isFailure { words.append("\(post.status) \(post.code ?? "")") }
    add(words.joined(separator: ", "), at: post.at, isFailure: isFailure)
  }

  /// A day was made again; a day that did not change is not reported.
  ///
  /// - Returns: whether anything is to be shown.
  mutating func add(_ event: DayRecompute.Event, at now: Timestamp) -> Bool {
    switch event {
    case .day(let date, .success(let day), _) where day.needsZone:
      add("\(date) waits for a time zone to be set", at: now, isFailure: true)
    case .day(let date, .success(let day), _):
      switch day.outcome {
      case .settled(_, let wrote) where !wrote.isEmpty,
        .unsettled(let wrote) where !wrote.isEmpty:
        add("\(date) was published", at: now, isFailure: false)
      case .unsettled: add("\(date) could not be finished", at: now, isFailure: true)
      case .newerRules:
        add("\(date) was made by a newer version and was left as it is", at: now, isFailure: false)
      case .settled, .nothing, nil: return false
      }
    case .day(let date, .failure(let error), _):
      add("\(date) could not be made: \(error.code.rawValue)", at: now, isFailure: true)
    case .sweep(.success): sweptAt = now
    case .zones(.correct), .zones(.move):
      add("the time zone of the days was changed", at: now, isFailure: false)
    case .zones(.differ):
      add("days are made in another time zone than the server's", at: now, isFailure: true)
    case .zones(.keep): return false
    case .sweep(.failure(let error)):
      add("what waits in the store can't be read: \(error.code.rawValue)", at: now, isFailure: true)
    }
    return true
  }

  mutating func add(_ text: String, at now: Timestamp, isFailure: Bool) {
    lines.insert(DashboardStatus.Line(at: now, text: text, isFailure: isFailure), at: 0)
    if lines.count > Self.maximumLines { lines.removeLast() }
  }
}
