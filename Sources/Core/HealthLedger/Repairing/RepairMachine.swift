import HealthModel
import ObjectStore

/// Moves a day's pointer forward to its newest readable revision, as a pure state machine (R38).
///
/// Each attempt resolves the day again and writes under the etag of that reading, and only a
/// greater id than the pointer names. So no interleaving with collectors moves the pointer
/// backwards (R25).
struct RepairMachine: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Resolve the day by R30: pointer and revisions.
    case resolve
    /// Read what the day's sources have said, as a publish does.
    case survey
    case writePointer(LatestPointer, if: Precondition)
    /// Wait with full jitter before another attempt, counted from 1.
    case backOff(attempt: Int)
    case finish(PointerRepair)
    /// Every write was refused or got no answer.
    case giveUp
  }

  enum Event: Hashable, Sendable {
    case resolved(Resolution)
    case surveyed(SurveyedDay)
    case put(PublishMachine.PutAnswer)
    case rested
  }

  let date: CalendarDate
  let isDryRun: Bool
  private var writes = 0
  private var state: State = .resolving

  private enum State: Hashable, Sendable {
    case resolving
    case surveying(PointerReading, to: RevisionID)
    case writing(from: RevisionID?, to: RevisionID)
    case resting
    case ended
  }

  init(_ date: CalendarDate, isDryRun: Bool) {
    (self.date, self.isDryRun) = (date, isDryRun)
  }

  func start() -> Action { .resolve }

  mutating func handle(_ event: Event) -> Action {
    switch event {
    case .resolved(let resolution):
      if case .resolving = state { return decide(resolution) }
    case .surveyed(let day):
      if case .surveying(let pointer, let latest) = state { return weigh(day, pointer, latest) }
    case .put(let answer):
      if case .writing(let from, let to) = state { return weigh(answer, from: from, to: to) }
    case .rested:
      if case .resting = state {
        state = .resolving
        return .resolve
      }
    }
    preconditionFailure("the event does not answer the action that was given")
  }

  private mutating func weigh(
    _ answer: PublishMachine.PutAnswer, from: RevisionID?, to: RevisionID
  ) -> Action {
    if answer == .stored { return end(.moved(from: from, to: to)) }
    guard writes < PublishMachine.maximumAttempts else {
      state = .ended
      return .giveUp
    }
    state = .resting
    return .backOff(attempt: writes)
  }

  private mutating func decide(_ resolution: Resolution) -> Action {
    let named = resolution.pointer.revisionID
    guard let latest = resolution.latest?.id else { return end(.impossible(.noValidRevision)) }
    if let named, named >= latest {
      return end(named == latest ? .alreadySound(latest) : .impossible(.namesGreaterID))
    }
    if case .corrupt(nil, _) = resolution.pointer { return end(.impossible(.noETag)) }
    state = .surveying(resolution.pointer, to: latest)
    return .survey
  }

  /// The next publish reads what the pointer names, and what is above the newest revision's parent. So the
  /// pointer must not pass a word that the newest lacks (R20). Of a damaged one nothing is taken: there,
  /// everything is read.
  private mutating func weigh(
    _ day: SurveyedDay, _ pointer: PointerReading, _ latest: RevisionID
  ) -> Action {
    if let newest = day.newest, newest.id == latest, newest.revision.lacks(day.words) {
      return end(.impossible(.lacksWords))
    }
    let named = pointer.revisionID
    if isDryRun { return end(.wouldMove(from: named, to: latest)) }
    writes += 1
    state = .writing(from: named, to: latest)
    return .writePointer(
      LatestPointer(date: date, revisionID: latest), if: pointer.replacement)
  }

  private mutating func end(_ repair: PointerRepair) -> Action {
    state = .ended
    return .finish(repair)
  }
}

extension DailyRevision {
  /// Whether something of these words counts that it does not have.
  fileprivate func lacks(_ words: DayWords) -> Bool {
    let own = allWords
    return own.undone != words.undone
      || words.all.contains { word in
        !own.all.contains { $0.isSame(as: word) || $0.group == word.group && $0.ends(word) }
      }
  }
}
