package import HealthLedger
package import HealthModel

/// Makes one day of its samples again, as a pure state machine (R49): events in, the next action out.
///
/// It does no I/O and reads no clock. Perform the action that `start()` returns, then pass each
/// result to `handle` until the machine finishes or stops.
///
/// The order that makes it safe: whatever is published was made of what one pass has listed, and
/// the machine ends only with a pass that lists after its last write and finds nothing new. So of
/// two machines whose writes cross, the one that wrote last sees the inputs of the other.
///
/// A machine that dies after its publish leaves that to others. So while it publishes, a marker that
/// nobody else removes names the day: its caller's own, or a cover that it creates. The marker that
/// made somebody else recompute the day too may be gone any moment.
package struct DerivationMachine: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case readBasis
    /// List the ids of the batches whose entries can bear on the day.
    case listBatches
    /// List the ids of the day's revisions.
    case listRevisions
    /// Read these batches and revisions, and make the figures.
    case derive(DerivationInputs)
    /// Create a marker of this recompute alone, which names the day. Comes once at most. It goes
    /// once the day is settled, and all that is to follow is done; else a sweep goes on.
    case createCover(ReportingDay)
    /// Publish by `PublishMachine`.
    case publish(DayDraft)
    /// Store the basis, replacing any other. Where that fails, so does the recompute, and the markers
    /// stay: without it nobody would notice if a batch was lost.
    case writeBasis(DerivationBasis)
    case finish(Outcome)
    /// Fail: at least this many of the batches that the day was made from are gone. From the others alone
    /// its numbers would be too low, so it stays as it is. Its markers stay, too: the batches may be
    /// restored.
    case stop(lostBatches: Int)
  }

  package enum Event: Hashable, Sendable {
    /// The basis that is stored; nil if there is none. One that can't be read stops the day.
    case basis(DerivationBasis?)
    /// With a line that names the day's zones.
    case batches(Set<String>, zones: String)
    case revisions(Set<RevisionID>)
    case derived(Derived)
    case createdCover
    case published(PublishOutcome)
    case wroteBasis
  }

  /// What the inputs say about the day.
  package enum Derived: Hashable, Sendable {
    /// No entry bears on the day, and no revision was ever derived for it.
    case nothing
    /// The newest readable revision of the inputs has the figures already, whoever published it.
    case held(RevisionID)
    /// These figures, to be published.
    case draft(DayDraft)
  }

  /// How a recompute ended.
  package enum Outcome: Hashable, Sendable {
    /// There is nothing to derive.
    case nothing
    /// The day's newest revision has the figures. `wrote` is what this recompute stored, in order.
    case settled(RevisionID, wrote: [RevisionID])
    /// The day was derived by a newer version of the rules, which this one must not replace.
    case newerRules(Int)
    /// Each of many passes found something new. A later run goes on.
    case unsettled(wrote: [RevisionID])

    /// Whether a marker that made this recompute necessary has served its purpose. Where the rules
    /// are newer, only a machine that knows them can tell.
    package var isSettled: Bool {
      switch self {
      case .nothing, .settled: true
      case .newerRules, .unsettled: false
      }
    }
  }

  /// How often figures are made before the machine gives up, where nothing else is said.
  package static let maximumPasses = 16

  /// The version of the rules by which the figures are made.
  package let rules: Int
  private var state: State = .idle
  private var basis: DerivationBasis?
  /// What this machine has stored, in order.
  private var wrote: [RevisionID] = []
  /// The figures' inputs and the revision that has them, once something was published or held.
  private var settled: Settled?
  private var passes = 0
  private let maximumPasses: Int
  /// Whether a marker covers the day that nobody else removes.
  private var isCovered: Bool

  private struct Settled: Hashable, Sendable {
    let inputs: DerivationInputs
    let revisionID: RevisionID
  }

  /// Each state waits for the answer to one action.
  private enum State: Hashable, Sendable {
    case idle
    case readingBasis
    case listingBatches
    case listingRevisions(Set<String>, zones: String)
    case deriving(DerivationInputs)
    case covering(DerivationInputs, DayDraft)
    case publishing(DerivationInputs)
    case writingBasis(Outcome)
    case ended
  }

  /// A machine that makes figures by this version of the rules.
  ///
  /// - Parameters:
  ///   - maximumPasses: how often before it gives up; each time may store a revision.
  ///   - isCovered: whether a marker of the caller's own names the day, and stays until the recompute
  ///     has ended and what it sent has arrived.
  package init(
    rules: Int = DerivationBasis.currentRules, maximumPasses: Int = maximumPasses, isCovered: Bool
  ) {
    (self.rules, self.maximumPasses, self.isCovered) = (rules, maximumPasses, isCovered)
  }

  /// The first action.
  package mutating func start() -> Action {
    state = .readingBasis
    return .readBasis
  }

  /// The action that follows the answer to the last one.
  package mutating func handle(_ event: Event) -> Action {
    switch (state, event) {
    case (.readingBasis, .basis(let basis)):
      if let basis, basis.rules > rules { return end(.newerRules(basis.rules)) }
      self.basis = basis
      return list()
    case (.listingBatches, .batches(let batches, let zones)):
      state = .listingRevisions(batches, zones: zones)
      return .listRevisions
    case (.listingRevisions(let batches, let zones), .revisions(let revisions)):
      return listed(DerivationInputs(batches: batches, zones: zones, revisions: revisions))
    case (.deriving(let inputs), .derived(let derived)):
      return made(derived, of: inputs)
    case (.covering(let inputs, let draft), .createdCover):
      isCovered = true
      return publish(draft, of: inputs)
    case (.publishing(let inputs), .published(let outcome)):
      return published(outcome, of: inputs)
    case (.writingBasis(let outcome), .wroteBasis):
      return end(outcome)
    default:
      preconditionFailure("the event does not answer the action that was given")
    }
  }

  private mutating func list() -> Action {
    state = .listingBatches
    return .listBatches
  }

  private mutating func listed(_ inputs: DerivationInputs) -> Action {
    if let settled, settled.inputs.covers(inputs, written: Set(wrote)) {
      // Nothing new since the last write: what was written is the figures of what is there. The
      // basis is made of this listing, which shows what was written, too.
      return conclude(settled.revisionID, inputs)
    }
    if let basis {
      // It was read before the batches were listed, so they are all there.
      let lost = basis.lost(in: inputs)
      guard lost == 0 else {
        state = .ended
        return .stop(lostBatches: lost)
      }
      if basis.holds(inputs, rules: rules) { return conclude(basis.revisionID, inputs) }
    }
    guard passes < maximumPasses else { return end(.unsettled(wrote: wrote)) }
    passes += 1
    state = .deriving(inputs)
    return .derive(inputs)
  }

  private mutating func made(_ derived: Derived, of inputs: DerivationInputs) -> Action {
    switch derived {
    case .nothing: return end(.nothing)
    // Nothing was written since the inputs were listed, so no further pass is needed.
    case .held(let id): return conclude(id, inputs)
    case .draft(let draft):
      guard isCovered else {
        state = .covering(inputs, draft)
        return .createCover(draft.day)
      }
      return publish(draft, of: inputs)
    }
  }

  private mutating func publish(_ draft: DayDraft, of inputs: DerivationInputs) -> Action {
    state = .publishing(inputs)
    return .publish(draft)
  }

  private mutating func published(
    _ outcome: PublishOutcome, of inputs: DerivationInputs
  ) -> Action {
    switch outcome {
    case .unchanged(let id):
      guard inputs.revisions.contains(id) else {
        // Somebody stored the same figures since the listing, perhaps of other inputs.
        settled = nil
        return list()
      }
      return conclude(id, inputs)
    case .published(let id), .superseded(let id, _), .pointerSkipped(let id):
      wrote.append(id)
      settled = Settled(inputs: inputs, revisionID: id)
      return list()
    }
  }

  /// Keeps for the next run what was found to be true, unless somebody published above it.
  private mutating func conclude(_ id: RevisionID, _ inputs: DerivationInputs) -> Action {
    let outcome = Outcome.settled(id, wrote: wrote)
    let found = DerivationBasis(id, rules: rules, of: inputs)
    guard found != basis else { return end(outcome) }
    state = .writingBasis(outcome)
    return .writeBasis(found)
  }

  private mutating func end(_ outcome: Outcome) -> Action {
    state = .ended
    return .finish(outcome)
  }
}
