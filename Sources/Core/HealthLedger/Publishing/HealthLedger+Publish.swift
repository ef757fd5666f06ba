import HealthModel
import ObjectStore

extension HealthLedger {
  /// Publishes one day (R20 to R27): stores an immutable revision, then moves the pointer forward.
  ///
  /// When it returns, the revision is durable, and every reader gets it or a newer one.
  /// - Throws: `LedgerError`. If the revision was stored before the failure, the message says so,
  ///   and publishing the same draft again completes it without a second revision.
  public func publish(_ draft: DayDraft) async throws(LedgerError) -> PublishOutcome {
    let date = draft.day.date
    let violations = draft.revision(at: draft.capturedAt).violations
    guard violations.isEmpty else { throw LedgerError(.invalid(violations), date, layout) }
    // One listing of the day, instead of reading the pointer and then listing (R34).
    let known: DayKnowledge?
    do {
      known = try await survey([date])[date]
    } catch {
      throw LedgerError(error, during: PublishMachine(draft, movesPointer: false))
    }
    return try await publish(draft, known: known).outcome
  }

  /// What a publish did.
  struct Published: Sendable {
    let outcome: PublishOutcome
    /// The readable revision that the day had before, if a new one was stored.
    let replaced: RevisionID?
    /// What became of that revision's numbers.
    let earlier: EarlierNumbers
    /// Whether another writer published the day in the meantime.
    let metOthers: Bool
  }

  func publish(
    _ draft: DayDraft, known: DayKnowledge?
  ) async throws(LedgerError) -> Published {
    let movesPointer: Bool
    do throws(StoreError) {
      if let obstacle = known?.obstacle { throw obstacle }
      movesPointer = try await store.conditionalWrites() == .compareAndSwap
    } catch {
      throw LedgerError(error, during: PublishMachine(draft, movesPointer: false))
    }
    var machine = PublishMachine(draft, movesPointer: movesPointer)
    let ending = try await run(&machine, known: known, upTo: { _ in false })
    guard let outcome = ending.outcome else {
      preconditionFailure("a machine that nothing stops ends with an outcome")
    }
    return Published(
      outcome: outcome, replaced: ending.replaced, earlier: ending.earlier(machine),
      metOthers: ending.metOthers)
  }

  /// Reports what publishing a draft would do now. It runs the same machine up to its first write.
  func preview(
    _ draft: DayDraft, known: DayKnowledge?
  ) async throws(LedgerError) -> PublishPreview {
    // Compare-and-swap affects only what happens to the pointer, and probing for it would write. A
    // preview needs neither.
    var machine = PublishMachine(draft, movesPointer: false)
    if let obstacle = known?.obstacle { throw LedgerError(obstacle, during: machine) }
    let ending = try await run(&machine, known: known, upTo: \.writes)
    return switch ending.outcome {
    case .unchanged(let id): .wouldBeUnchanged(id, ending.earlier(machine))
    case .published, .superseded, .pointerSkipped, nil:
      .wouldPublish(replacing: ending.replaced, ending.earlier(machine))
    }
  }

  /// What a draft would make of a day now; nil if that would stay as it is.
  func joined(
    _ draft: DayDraft, known: DayKnowledge?
  ) async throws(LedgerError) -> DayChange? {
    var machine = PublishMachine(draft, movesPointer: false)
    if let obstacle = known?.obstacle { throw LedgerError(obstacle, during: machine) }
    let ending = try await run(&machine, known: known, upTo: \.writes)
    guard ending.outcome == nil, let joined = machine.joined else { return nil }
    return DayChange(
      before: joined.surveyed.newest?.revision, after: joined.revision(at: draft.capturedAt))
  }

  /// How a machine's run ended.
  private struct Ending {
    /// Nil if the machine was stopped.
    var outcome: PublishOutcome?
    /// The readable revision that the day had before, if a new one was or would be stored.
    var replaced: RevisionID?
    /// The metrics of which that revision has a number and the new one has none.
    var taken: [DailyMetric] = []
    /// Whether the pointer moved after the survey, or a greater revision than the stored one was listed.
    var metOthers = false
    var unanswered = UnansweredWrites()

    func earlier(_ machine: PublishMachine) -> EarlierNumbers {
      var earlier = machine.earlier
      earlier.taken = taken
      return earlier
    }
  }

  /// Runs a machine to its end, or until an action must not be carried out.
  private func run(
    _ machine: inout PublishMachine, known: DayKnowledge?,
    upTo stops: (PublishMachine.Action) -> Bool
  ) async throws(LedgerError) -> Ending {
    let date = machine.draft.day.date
    var action = machine.start(known: known)
    var ending = Ending()
    while true {
      switch action {
      case .finish(let outcome):
        ending.outcome = outcome
        return ending
      case .fail(let failure):
        throw LedgerError(failure, date, layout, after: ending.unanswered.last)
      case _ where stops(action): return ending
      default:
        do throws(StoreError) {
          let event = try await perform(action, of: machine, noting: &ending.unanswered)
          switch (action, event) {
          case (.createRevision, .put(.refused)), (.writePointer, .put(.refused)):
            ending.metOthers = true
          case (.listRevisions, .revisions(let ids)):
            let isAbove = machine.storedRevision.map { stored in ids.contains { $0 > stored } }
            if isAbove == true { ending.metOthers = true }
          default: break
          }
          action = machine.handle(event)
          if action == .mint, machine.sentRevision == nil, let joined = machine.joined {
            ending.replaced = joined.surveyed.newest?.id
            ending.taken = joined.taken
          }
        } catch {
          throw LedgerError(error, during: machine)
        }
      }
    }
  }

  /// Carries out one action. The caller handles the endings.
  private func perform(
    _ action: PublishMachine.Action, of machine: PublishMachine,
    noting unanswered: inout UnansweredWrites
  ) async throws(StoreError) -> PublishMachine.Event {
    let date = machine.draft.day.date
    func put(
      _ key: ObjectKey, _ body: [UInt8], if precondition: Precondition
    ) async throws(StoreError) -> PublishMachine.Event {
      let sentAt = ContinuousClock.now
      let outcome = try await store.put(key, body, if: precondition)
      unanswered.note(outcome, sentAt: sentAt)
      return .put(.init(outcome))
    }
    switch action {
    case .readPointer:
      return .pointer(try await readPointer(date))
    case .listRevisions:
      return .revisions(try await listRevisions(date, after: nil))
    case .readRevision(let id):
      return .revision(try await readRevision(date, id, mayBeAbsent: machine.readsBack))
    case .mint:
      // Two writers with the same data get the same id within one second (R21). On a store that
      // ignores conditions, one of them would overwrite the other's revision.
      let now = await correctedNow()
      let suffix =
        machine.movesPointer ? machine.idSuffix(at: now) : environment.entropy()
      return .minted(now: now, entropy: suffix)
    case .createRevision(let id, let body):
      return try await put(layout.revisionKey(date, id), body, if: .absent)
    case .writePointer(let pointer, let precondition):
      return try await put(layout.pointerKey(date), pointer.encoded, if: precondition)
    case .backOff(let attempt):
      // Stopping here is as safe as an interruption here. The error says what is stored.
      if unanswered.isExhausted(after: environment.patience), let last = unanswered.last {
        throw last
      }
      do {
        try await environment.backOff(attempt)
      } catch {
        throw StoreError(.cancelled, "interrupted while publishing \(date)")
      }
      return .rested
    case .finish, .fail:
      preconditionFailure("an ending is not performed")
    }
  }
}

extension PublishMachine.PutAnswer {
  init(_ outcome: PutOutcome) {
    switch outcome {
    case .stored: self = .stored
    case .preconditionFailed: self = .refused
    case .unknown: self = .unknown
    }
  }
}

extension LedgerError {
  /// A store's failure during a publish. Its message says whether the revision was stored (R27).
  init(_ error: StoreError, during machine: PublishMachine) {
    self.init(error)
    let state =
      if let stored = machine.storedRevision {
        "revision \(stored) is stored, but its pointer is not confirmed"
      } else if machine.hasUnclearCreate, let sent = machine.sentRevision {
        "it is not known whether revision \(sent) was stored"
      } else {
        "nothing was stored"
      }
    message += "; \(state)"
    remedy = .publishAfter(remedy, machine.draft.day.date)
  }

  /// A publish that failed. `last` says why its last write got no clear answer.
  init(
    _ failure: PublishFailure, _ date: CalendarDate, _ layout: LedgerLayout,
    after last: StoreError? = nil
  ) {
    switch failure {
    case .revisionUnconfirmed(let id):
      self.init(
        .storageUnavailable,
        "the store never confirmed the revision in \(PublishMachine.maximumAttempts) attempts",
        key: layout.revisionKey(date, id).rawValue, rule: "R23",
        remedy: .all([.store(.retry), .store(.diagnose)]), isRetryable: true)
      self = after(last)
      concernsWholeStore = true
    case .pointerContended(let id):
      self.init(
        .storageUnavailable,
        last == nil
          ? "revision \(id) is stored, but the store refused every write of the pointer"
          : "revision \(id) is stored, but the store confirmed no write of the pointer",
        key: layout.pointerKey(date).rawValue, rule: "R25",
        remedy: """
          readers find the revision by listing; publish again later. On a bucket with versioning, \
          a deleted pointer can refuse both create and replace: remove its delete marker
          """,
        isRetryable: true)
      self = after(last)
    case .neverSettled(let id):
      self.init(
        .storageUnavailable,
        "revision \(id) is stored, but other programs kept publishing the day; publish again, so that "
          + "nothing of it is missing",
        key: layout.revisionKey(date, id).rawValue, rule: "R20", remedy: .store(.retry),
        isRetryable: true)
    case .newerRules(let id):
      self.init(
        .invalidArguments, "revision \(id) was made by a newer version of s3health",
        key: layout.revisionKey(date, id).rawValue, rule: "R20",
        remedy: "update the program on this machine; nothing was stored")
    case .noGreaterID(let id):
      self.init(
        .storageUnavailable, "no id is greater than that of a revision of the day",
        key: layout.revisionKey(date, id).rawValue, rule: "R21",
        remedy: """
          move this object out of the store, and \(layout.pointerKey(date)) too if it names it, and \
          publish again
          """)
    case .invalid(let violations):
      let first = violations.first
      let more = violations.count > 1 ? " (and \(violations.count - 1) more)" : ""
      self.init(
        .invalidArguments,
        "the data of \(date) breaks the format at \(first?.pointer ?? ""): "
          + "\(first?.message ?? "")\(more)",
        rule: first?.rule, remedy: "correct the input; nothing was stored")
    case .tooLarge(let bytes):
      self.init(
        .invalidArguments,
        "the revision of \(date) has \(bytes) bytes; at most \(DailyRevision.maximumBytes) are allowed",
        rule: "R13", remedy: "leave out members that the format does not need")
    }
  }
}
