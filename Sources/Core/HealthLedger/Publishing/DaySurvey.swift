import HealthModel

/// Reads what a day's sources have said (R20), as a pure state machine: events in, the next request out. It
/// writes nothing.
package struct DaySurvey: Hashable, Sendable {
  /// A step of the survey.
  package enum Omission: Hashable, Sendable {
    case aboveParent
    case ofPointer
  }

  enum Action: Hashable, Sendable {
    case readPointer
    case listRevisions
    case readRevision(RevisionID)
    case end
  }

  let date: CalendarDate
  /// The pointer as it was read.
  private(set) var pointer: PointerReading = .absent
  /// The greatest id that the day holds, readable or not.
  private(set) var greatestSeen: RevisionID?
  /// What was found.
  private(set) var day = SurveyedDay()

  /// What a race leaves out, to show that it is needed; nil but there.
  var omits: Omission?
  private var state: State = .idle
  /// Whether writers move the pointer, so that it says what they have acknowledged.
  private let movesPointer: Bool
  private var unreadable: [RevisionID] = []
  /// All ids of the day, ascending.
  private var ids: [RevisionID] = []
  /// Revisions that fail their digest, and what they show.
  private var damaged: [RevisionID: [DailyMetric: MetricReading]] = [:]

  /// What its writer wants to undo, or to take back.
  private let change: DayDraft.RunChange?
  /// Whether words that were read hide others in older revisions, so that all have to be read.
  private var isTorn = false
  /// What each revision says, where all are read.
  private var all: [DayWords]?

  private enum State: Hashable, Sendable {
    case idle
    /// Reads the pointer. This comes before the listing: if somebody publishes a revision between
    /// the two requests, it is above the pointer that was read, so the listing shows it.
    case readingPointer
    case listing
    /// Reads what the pointer names, then the others, greatest first. `rest` gets shorter each time, so
    /// this ends.
    case reading(RevisionID, rest: [RevisionID])
    case ended
  }

  init(_ date: CalendarDate, movesPointer: Bool, changing change: DayDraft.RunChange? = nil) {
    (self.date, self.movesPointer, self.change) = (date, movesPointer, change)
  }

  /// The first action. With `known`, requests that a listing has already answered are skipped.
  mutating func start(known: DayKnowledge?, readsPointer: Bool) -> Action {
    if let known {
      guard let reading = known.pointer else {
        state = .readingPointer
        listed = known.revisions
        return .readPointer
      }
      pointer = reading
      return survey(known.revisions)
    }
    guard readsPointer else {
      state = .listing
      return .listRevisions
    }
    state = .readingPointer
    return .readPointer
  }

  /// The day's ids, if they were listed before the pointer was read.
  private var listed: [RevisionID]?

  mutating func handle(_ event: PublishMachine.Event) -> Action {
    switch (state, event) {
    case (.readingPointer, .pointer(let reading)):
      pointer = reading
      if let ids = listed {
        listed = nil
        return survey(ids)
      }
      state = .listing
      return .listRevisions
    case (.listing, .revisions(let ids)):
      return survey(ids)
    case (.reading(let id, let rest), .revision(let reading)):
      take(reading, id)
      return readNext(rest)
    default:
      preconditionFailure("the event does not answer the action that was given")
    }
  }

  private mutating func survey(_ ids: [RevisionID]) -> Action {
    var ids = Set(ids)
    // It counts even if the listing lacks it.
    if let named = pointer.revisionID { ids.insert(named) }
    self.ids = ids.sorted()
    greatestSeen = self.ids.last
    return readNext(inOrder)
  }

  /// What the pointer names, then the others, greatest first.
  private var inOrder: [RevisionID] {
    let named = omits == .ofPointer ? [] : pointer.revisionID.map { [$0] } ?? []
    return named + ids.reversed().filter { !named.contains($0) }
  }

  private mutating func take(_ reading: RevisionReading, _ id: RevisionID) {
    guard let decoded = reading.decoded(date: date, id: id), let revision = decoded.revision else {
      unreadable.append(id)
      return
    }
    // Words of a damaged revision would get a digest that fits them (R60).
    guard !decoded.isDamaged else {
      damaged[id] = revision.readings
      return
    }
    let (before, words) = (day.words, revision.allWords)
    day.words.join(words)
    isTorn = isTorn || before.hide(under: day.words) || words.hide(under: day.words)
    all?.append(words)
    guard day.newest.map({ id > $0.id }) ?? true else { return }
    day.newest = ReadRevision(id: id, revision: revision, conforms: decoded.violations.isEmpty)
  }

  private mutating func readNext(_ ids: [RevisionID]) -> Action {
    var rest = ids[...]
    while let next = rest.popFirst() {
      guard isNeeded(next) else { continue }
      state = .reading(next, rest: Array(rest))
      return .readRevision(next)
    }
    if all == nil, isTorn || change.map({ changes($0) }) ?? false {
      all = []
      return readNext(inOrder)
    }
    if let all { day.words = joined(all) }
    func isAbove(_ id: RevisionID) -> Bool { day.newest.map { id > $0.id } ?? true }
    day.damaged = damaged.filter { isAbove($0.key) }
    day.unreadable = unreadable.filter(isAbove).sorted(by: >)
    day.isObstructed = !day.damaged.isEmpty || day.unreadable.contains { $0 == pointer.revisionID }
    day.seen = day.newest.map { count(upTo: $0.id) } ?? 0
    state = .ended
    return .end
  }

  /// What tells most states of a survey apart.
  func sketch(into hasher: inout Hasher) {
    hasher.combine(pointer.revisionID)
    hasher.combine(state)
    hasher.combine(ids.count)
    hasher.combine(day.newest?.id)
    hasher.combine(day.words.sketch)
  }

  private func changes(_ change: DayDraft.RunChange) -> Bool {
    change.following(day.words).times ?? 0 > day.words.undone[change.run] ?? 0
  }

  /// What all revisions say, with what undone runs said aside.
  private func joined(_ all: [DayWords]) -> DayWords {
    var undone = all.reduce(into: [:]) { $0.merge($1.undone, uniquingKeysWith: max) }
    let words = all.flatMap { Array($0.all) + $0.withdrawn }
    if let change, words.contains(where: { $0.run == change.run }),
      let times = change.following(DayWords([], undone: undone)).times, times > 0
    {
      undone[change.run] = max(times, undone[change.run] ?? 0)
    }
    return DayWords(words, undone: undone)
  }

  /// How many ids the day has up to one.
  private func count(upTo id: RevisionID) -> Int {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] <= id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether a revision may have words that the newest has not.
  ///
  /// The newest has the words of its parent, and of all that its writer saw below it. It may lack those of a
  /// revision above its parent; and those of the one that the pointer names, because an id with room below it
  /// can be created late. If a pointer that writers move names nothing readable, nothing is known of what any
  /// of them saw. Where they move none, each has looked until the newest had all. And if there are more ids up
  /// to the parent than its writer saw, they came late, or from a copy of the store.
  private func isNeeded(_ id: RevisionID) -> Bool {
    guard all == nil, let newest = day.newest, id < newest.id,
      let parent = newest.revision.standsAlone ? newest.id : newest.revision.parent
    else { return true }
    if omits == .aboveParent { return false }
    if omits == nil, let seen = newest.revision.seen, count(upTo: parent) > seen { return true }
    guard let named = pointer.revisionID else { return movesPointer || id > parent }
    return id > parent || damaged[named] != nil || unreadable.contains(named)
  }
}
