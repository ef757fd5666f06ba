import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R25 and R26: the pointer only ever moves forward, and only from the value that the survey read.
@Suite(.unit) struct PublishPointerTests {
  let draft: DayDraft
  let mine = Sample.id(0)

  init() throws { draft = try Sample.draft(steps: 100) }

  /// The machine after a write that was not cleanly answered, surveying again.
  private func surveying(_ answer: PublishMachine.PutAnswer = .refused) throws -> PublishBench {
    var bench = try PublishBench.moving(draft)
    #expect(bench.give(.put(answer)) == .backOff(attempt: 1))
    #expect(bench.give(.rested) == .readPointer)
    return bench
  }

  /// What is stored under `mine`.
  private var stored: RevisionReading { get throws { Sample.found(draft, mine) } }

  @Test func `R25 a clean success ends the publish`() throws {
    var bench = try PublishBench.moving(draft)
    #expect(bench.give(.put(.stored)) == .finish(.published(mine)))
  }

  @Test func `R25 the write is conditioned on what the survey read`() throws {
    var bench = PublishBench(draft)
    bench.givePointer(to: Sample.id(-60), etag: "\"e\"")
    bench.give(.revisions([]))
    bench.give(.revision(.absent))
    bench.give(.minted(now: Sample.noon, entropy: 0xABCDEF))
    bench.give(.put(.stored))
    #expect(try bench.written == (mine, .matches(ETag("\"e\""))))
  }

  @Test(arguments: [PublishMachine.PutAnswer.refused, .unknown])
  func `R27 a pointer at our revision after a refusal means published`(
    answer: PublishMachine.PutAnswer
  ) throws {
    var bench = try surveying(answer)
    bench.givePointer(to: mine)
    #expect(bench.give(.revisions([mine])) == .readRevision(mine))
    #expect(bench.give(.revision(try stored)) == .finish(.published(mine)))
  }

  @Test(arguments: [PublishMachine.PutAnswer.refused, .unknown])
  func `R27 a pointer past our revision that has our words means superseded`(
    answer: PublishMachine.PutAnswer
  ) throws {
    var bench = try surveying(answer)
    let newer = Sample.id(1)
    var joined = try Sample.energy(300)
    joined.words += draft.words
    bench.givePointer(to: newer)
    #expect(bench.give(.revisions([mine, newer])) == .readRevision(newer))
    // It names no parent, so ours is read too.
    #expect(bench.give(.revision(Sample.found(joined, newer))) == .readRevision(mine))
    #expect(bench.give(.revision(try stored)) == .finish(.superseded(mine, by: newer)))
  }

  @Test func `R20 a pointer past our revision without our words means to join them`() throws {
    var bench = try surveying()
    let newer = Sample.id(1)
    bench.givePointer(to: newer, etag: "\"theirs\"")
    bench.give(.revisions([mine, newer]))
    bench.give(.revision(Sample.found(try Sample.energy(300), newer)))
    #expect(bench.give(.revision(try stored)) == .mint)
    bench.give(.minted(now: Sample.noon, entropy: 3))
    let joined = try bench.created
    #expect(joined.id > newer)
    let revision = try #require(DailyRevision.decode(joined.body, date: draft.day.date).revision)
    #expect(revision.reading(of: .steps) == .value(100))
    #expect(revision.reading(of: .activeEnergy) == .value(300))
    bench.give(.put(.stored))
    #expect(try bench.written == (joined.id, .matches(ETag("\"theirs\""))))
  }

  @Test func `R25 a smaller pointer is replaced under its own etag`() throws {
    var bench = try surveying()
    bench.givePointer(to: Sample.id(-1), etag: "\"theirs\"")
    bench.give(.revisions([Sample.id(-1), mine]))
    #expect(bench.action == .readRevision(Sample.id(-1)))
    bench.give(.revision(.absent))
    bench.give(.revision(try stored))
    #expect(try bench.written == (mine, .matches(ETag("\"theirs\""))))
  }

  @Test func `R26 an absent pointer after a refusal means that all is read`() throws {
    var bench = try surveying()
    #expect(bench.give(.pointer(.absent)) == .listRevisions)
    let older = Sample.id(-9)
    bench.give(.revisions([older, mine]))
    #expect(bench.give(.revision(try stored)) == .readRevision(older))
    #expect(bench.give(.revision(Sample.rubbish)) != .readRevision(older))
    #expect(try bench.written == (mine, .absent))
  }

  @Test func `R26 a corrupt pointer is replaced by the join of all readable revisions`() throws {
    var bench = try surveying()
    let (newer, broken) = (Sample.id(5), Sample.id(9))
    bench.give(.pointer(.corrupt(ETag("c"), [])))
    #expect(bench.action == .listRevisions)
    #expect(bench.give(.revisions([newer, broken, mine])) == .readRevision(broken))
    #expect(bench.give(.revision(Sample.rubbish)) == .readRevision(newer))
    bench.give(.revision(Sample.found(try Sample.energy(300), newer)))
    #expect(bench.action == .readRevision(mine))
    #expect(bench.give(.revision(try stored)) == .mint)
    bench.give(.minted(now: Sample.noon, entropy: 3))
    let joined = try bench.created.id
    #expect(joined > broken)
    bench.give(.put(.stored))
    #expect(try bench.written == (joined, .matches(ETag("c"))))
  }

  @Test func `R25 a corrupt pointer without an etag is never written blindly`() throws {
    var bench = try surveying()
    bench.give(.pointer(.corrupt(nil, [])))
    bench.give(.revisions([mine]))
    bench.give(.revision(try stored))
    #expect(try bench.written == (mine, .absent))
  }

  @Test func `R25 the pointer is written at most 16 times`() throws {
    var bench = try PublishBench.moving(draft)
    var writes = 1
    while true {
      bench.give(.put(.refused))
      if bench.action == .fail(.pointerContended(mine)) { break }
      #expect(bench.action == .backOff(attempt: writes))
      bench.give(.rested)
      bench.give(.pointer(.absent))
      bench.give(.revisions([mine]))
      bench.give(.revision(try stored))
      writes += 1
      try #require(writes <= PublishMachine.maximumAttempts)
    }
    #expect(writes == PublishMachine.maximumAttempts)
    #expect(bench.machine.storedRevision == mine)
  }

  @Test func `R27 a heal that loses its race is still unchanged`() throws {
    var bench = PublishBench(draft)
    let latest = Sample.id(-60)
    let found = Sample.found(draft, latest)
    bench.give(.pointer(.absent))
    bench.give(.revisions([latest]))
    bench.give(.revision(found))
    #expect(try bench.written == (latest, .absent))
    bench.give(.put(.refused))
    bench.give(.rested)
    bench.givePointer(to: latest)
    bench.give(.revisions([latest]))
    #expect(bench.give(.revision(found)) == .finish(.unchanged(latest)))
    #expect(bench.machine.storedRevision == latest)
  }
}
