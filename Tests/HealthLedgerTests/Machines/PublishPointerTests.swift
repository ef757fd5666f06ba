import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R25 and R26: the pointer only ever moves forward.
@Suite(.unit) struct PublishPointerTests {
  let draft: DayDraft
  let mine = Sample.id(0)

  init() throws { draft = try Sample.draft(steps: 100) }

  /// The machine after a write that was not cleanly answered, reading again.
  private func rereading(_ answer: PublishMachine.PutAnswer = .refused) throws -> PublishBench {
    var bench = try PublishBench.moving(draft)
    #expect(bench.give(.put(answer)) == .backOff(attempt: 1))
    #expect(bench.give(.rested) == .readPointer)
    return bench
  }

  @Test func `R25 a clean success ends the publish`() throws {
    var bench = try PublishBench.moving(draft)
    #expect(bench.give(.put(.stored)) == .finish(.published(mine)))
  }

  @Test func `R25 the first write is conditioned on what the survey read`() throws {
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
    var bench = try rereading(answer)
    #expect(bench.givePointer(to: mine) == .finish(.published(mine)))
  }

  @Test(arguments: [PublishMachine.PutAnswer.refused, .unknown])
  func `R27 a pointer past our revision means superseded`(
    answer: PublishMachine.PutAnswer
  ) throws {
    var bench = try rereading(answer)
    let newer = Sample.id(1)
    // R20: a revision that covers everything takes the place of ours.
    #expect(bench.givePointer(to: newer) == .readRevision(newer))
    let other = try Sample.draft(steps: 200)
    #expect(
      bench.give(.revision(Sample.found(other, newer))) == .finish(.superseded(mine, by: newer)))
  }

  @Test func `R25 a smaller pointer is replaced under its own etag`() throws {
    var bench = try rereading()
    bench.givePointer(to: Sample.id(-1), etag: "\"theirs\"")
    #expect(try bench.written == (mine, .matches(ETag("\"theirs\""))))
  }

  @Test func `R26 an absent pointer after a refusal is looked behind`() throws {
    var bench = try rereading()
    #expect(bench.give(.pointer(.absent)) == .listRevisions(after: mine))
    bench.give(.revisions([]))
    #expect(try bench.written == (mine, .absent))
  }

  @Test func `R26 a corrupt pointer is replaced by the greatest valid revision`() throws {
    let other = try Sample.draft(steps: 200)
    var bench = try rereading()
    let (newer, broken) = (Sample.id(5), Sample.id(9))
    bench.give(.pointer(.corrupt(ETag("c"), [])))
    #expect(bench.action == .listRevisions(after: mine))
    #expect(bench.give(.revisions([newer, broken, Sample.id(-5)])) == .readRevision(broken))
    #expect(bench.give(.revision(Sample.rubbish)) == .readRevision(newer))
    bench.give(.revision(Sample.found(other, newer)))
    #expect(try bench.written == (newer, .matches(ETag("c"))))
    #expect(bench.give(.put(.stored)) == .readRevision(newer))
    #expect(
      bench.give(.revision(Sample.found(other, newer))) == .finish(.superseded(mine, by: newer)))
  }

  @Test func `R26 where nothing newer is valid our own revision is written`() throws {
    var bench = try rereading()
    bench.give(.pointer(.corrupt(ETag("c"), [])))
    bench.give(.revisions([Sample.id(9)]))
    bench.give(.revision(.absent))
    #expect(try bench.written == (mine, .matches(ETag("c"))))
  }

  @Test func `R26 after the newer revision was refused the aim is our own again`() throws {
    let other = try Sample.draft(steps: 200)
    var bench = try rereading()
    let newer = Sample.id(5)
    bench.give(.pointer(.absent))
    bench.give(.revisions([newer]))
    bench.give(.revision(Sample.found(other, newer)))
    #expect(bench.give(.put(.refused)) == .backOff(attempt: 2))
    bench.give(.rested)
    #expect(bench.givePointer(to: newer) == .readRevision(newer))
    #expect(
      bench.give(.revision(Sample.found(other, newer))) == .finish(.superseded(mine, by: newer)))
  }

  @Test func `R25 a corrupt pointer without an etag is never written blindly`() throws {
    var bench = try rereading()
    bench.give(.pointer(.corrupt(nil, [])))
    bench.give(.revisions([]))
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
      bench.givePointer(to: Sample.id(-1))
      writes += 1
      try #require(writes <= PublishMachine.maximumAttempts)
    }
    #expect(writes == PublishMachine.maximumAttempts)
    #expect(bench.machine.storedRevision == mine)
  }

  @Test func `R27 a heal that loses its race is still unchanged`() throws {
    var bench = PublishBench(draft)
    let latest = Sample.id(-60)
    bench.give(.pointer(.absent))
    bench.give(.revisions([latest]))
    bench.give(.revision(Sample.found(draft, latest)))
    bench.give(.put(.refused))
    bench.give(.rested)
    let superior = Sample.id(4)
    #expect(bench.givePointer(to: superior) == .readRevision(superior))
    var partial = bench
    let whole = Sample.found(try Sample.draft(steps: 200), superior)
    #expect(bench.give(.revision(whole)) == .finish(.unchanged(latest)))
    #expect(bench.machine.storedRevision == latest)
    // Its writer may not have seen the equal revision.
    var other = try Sample.draft(steps: 200)
    other.covers = .metrics([.sleepAsleep])
    #expect(partial.give(.revision(Sample.found(other, superior))) == .readPointer)
  }
}
