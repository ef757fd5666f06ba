import HealthModel
import ObjectStore

@testable import HealthLedger

/// One day of a linearizable store, the publishers and the reader at work on it, and what they may
/// still expect to go wrong: a state of the exploration.
struct PublishWorld: Hashable {
  /// A write on its way that nobody waits for any more.
  struct LateWrite: Hashable {
    let write: Write
    let precondition: Precondition
  }

  enum Write: Hashable {
    case revision(RevisionID, Stored)
    case pointer(RevisionID)
  }

  /// A revision's bytes, known by who wrote them.
  struct Stored: Hashable {
    let body: [UInt8]
    let author: Int

    static func == (a: Stored, b: Stored) -> Bool { a.author == b.author }

    func hash(into hasher: inout Hasher) { hasher.combine(author) }
  }

  enum Publisher: Hashable {
    case running(PublisherTrail)
    case done(PublishOutcome)
    case failed(PublishFailure)
    case crashed
  }

  enum Reader: Hashable {
    /// Begun when this had been acknowledged.
    case reading(ReaderTrail, floor: RevisionID?)
    case answered
  }

  let date: CalendarDate
  var revisions: [RevisionID: Stored] = [:]
  var pointer: PointerReading = .absent
  var publishers: [Publisher] = []
  var reader: Reader?
  var late: [LateWrite] = []
  var faults = 0
  var crashes = 0
  /// The greatest revision whose publish has ended well.
  var acknowledged: RevisionID?
  /// What the last step did wrong, if it did.
  var fault: String?

  init(_ date: CalendarDate) { self.date = date }

  mutating func add(_ draft: DayDraft) {
    var machine = PublishMachine(draft, movesPointer: true)
    let action = machine.start()
    publishers.append(.running(PublisherTrail(machine, action, actor: publishers.count)))
  }

  mutating func addReader() {
    var machine = ResolveMachine(date)
    let action = machine.start()
    reader = .reading(ReaderTrail(machine, action, actor: -1), floor: nil)
  }

  /// A revision that is there from the beginning.
  mutating func addRevision(_ draft: DayDraft, _ id: RevisionID) {
    revisions[id] = Stored(body: Sample.body(draft, id), author: -1)
  }

  /// A pointer's etag is a function of its value, as that of its bytes is.
  func reading(_ id: RevisionID) -> PointerReading {
    .valid(LatestPointer(date: date, revisionID: id), ETag("\"\(id)\""))
  }
}
