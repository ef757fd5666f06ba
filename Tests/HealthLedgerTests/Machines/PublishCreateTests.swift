import Foundation
import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R22 and R23: the revision is created once, and confirmed before anything refers to it.
@Suite(.unit) struct PublishCreateTests {
  let draft: DayDraft
  let other: DayDraft

  init() throws {
    draft = try Sample.draft(steps: 100)
    other = try Sample.draft(steps: 200)
  }

  @Test func `R22 the pointer follows a confirmed create`() throws {
    var bench = try PublishBench.creating(draft)
    #expect(bench.machine.storedRevision == nil)
    let id = try bench.created.id
    #expect(bench.machine.sentRevision == id)
    bench.give(.put(.stored))
    #expect(try bench.written == (id, .absent))
    #expect(bench.machine.storedRevision == id)
  }

  @Test(arguments: [PublishMachine.PutAnswer.refused, .unknown])
  func `R23 any answer but success is settled by reading the key`(
    answer: PublishMachine.PutAnswer
  ) throws {
    var bench = try PublishBench.creating(draft)
    let id = try bench.created.id
    #expect(bench.give(.put(answer)) == .readRevision(id))
  }

  @Test(arguments: [PublishMachine.PutAnswer.refused, .unknown])
  func `R23 its own bytes mean that an earlier send arrived`(
    answer: PublishMachine.PutAnswer
  ) throws {
    var bench = try PublishBench.creating(draft)
    let (id, body) = try bench.created
    bench.give(.put(answer))
    bench.give(.revision(.found(body, lastModified: 1)))
    #expect(try bench.written.id == id)
  }

  @Test func `R23 other bytes, of any kind, mean a new id above that one`() throws {
    for reading in [Sample.found(other, Sample.id(0)), Sample.rubbish, .tooLarge] {
      var bench = try PublishBench.creating(draft)
      let taken = try bench.created.id
      bench.give(.put(.refused))
      #expect(bench.give(.revision(reading)) == .mint)
      bench.give(.minted(now: Sample.noon.adding(seconds: -3600), entropy: 0))
      #expect(try bench.created.id > taken)
      #expect(bench.machine.sentRevision == (try bench.created.id))
    }
  }

  @Test(arguments: [PublishMachine.PutAnswer.refused, .unknown])
  func `R23 equal data of another collector under the same id is the same revision`(
    answer: PublishMachine.PutAnswer
  ) throws {
    var twin = draft
    twin.collector = Collector(collectorID: UUID(), deviceID: UUID())
    twin.capturedAt = Sample.noon.adding(seconds: -5)
    var bench = try PublishBench.creating(draft)
    let id = try bench.created.id
    bench.give(.put(answer))
    bench.give(.revision(Sample.found(twin, id)))
    // Its writer may have died, so this one moves the pointer.
    #expect(try bench.written == (id, .absent))
    #expect(bench.give(.put(.stored)) == .finish(.published(id)))
  }

  @Test func `R23 a revision that says more, or is damaged, is another one`() throws {
    var partial = draft
    partial.words += try Sample.energy(300).words
    var damaged = Sample.body(draft, Sample.id(0))
    let place = try #require(damaged.firstRange(of: "\"steps\":100".utf8))
    damaged[place.upperBound - 1] = UInt8(ascii: "1")
    for reading in [Sample.found(partial, Sample.id(0)), .found(damaged, lastModified: nil)] {
      var bench = try PublishBench.creating(draft)
      bench.give(.put(.refused))
      #expect(bench.give(.revision(reading)) == .mint)
    }
  }

  @Test(arguments: [PublishMachine.PutAnswer.refused, .unknown])
  func `R23 an absent key means the same create again, after a wait`(
    answer: PublishMachine.PutAnswer
  ) throws {
    var bench = try PublishBench.creating(draft)
    let first = bench.action
    bench.give(.put(answer))
    #expect(bench.give(.revision(.absent)) == .backOff(attempt: 1))
    #expect(bench.give(.rested) == first)
  }

  @Test func `R23 the store is asked at most 16 times`() throws {
    var bench = try PublishBench.creating(draft)
    let id = try bench.created.id
    var sends = 1
    while true {
      bench.give(.put(.unknown))
      bench.give(.revision(.absent))
      if bench.action == .fail(.revisionUnconfirmed(id)) { break }
      #expect(bench.action == .backOff(attempt: sends))
      bench.give(.rested)
      sends += 1
      try #require(sends <= PublishMachine.maximumAttempts)
    }
    #expect(sends == PublishMachine.maximumAttempts)
    #expect(bench.machine.storedRevision == nil)
  }

  @Test func `R23 sends under different ids count together`() throws {
    var bench = try PublishBench.creating(draft)
    var sends = 1
    while case .createRevision(let id, _) = bench.action {
      bench.give(.put(.refused))
      bench.give(.revision(Sample.rubbish))
      if bench.action == .fail(.revisionUnconfirmed(id)) { break }
      bench.give(.minted(now: Sample.noon, entropy: 7))
      sends += 1
      try #require(sends <= PublishMachine.maximumAttempts)
    }
    #expect(sends == PublishMachine.maximumAttempts)
  }

  @Test func `R24 without compare-and-swap the publish ends when the day shows it`() throws {
    var bench = try PublishBench.creating(draft, movesPointer: false)
    let (id, body) = try bench.created
    #expect(bench.give(.put(.stored)) == .listRevisions)
    #expect(bench.give(.revisions([id])) == .readRevision(id))
    #expect(bench.give(.revision(.found(body, lastModified: nil))) == .finish(.pointerSkipped(id)))
  }

  @Test func `R20 without compare-and-swap another source's word above ours is joined with it`()
    throws
  {
    var bench = try PublishBench.creating(draft, movesPointer: false)
    let (id, body) = try bench.created
    bench.give(.put(.stored))
    let theirs = Sample.id(5)
    #expect(bench.give(.revisions([id, theirs])) == .readRevision(theirs))
    // Its writer had not seen ours, so it names no parent.
    let said = Sample.found(try Sample.energy(300), theirs)
    #expect(bench.give(.revision(said)) == .readRevision(id))
    #expect(bench.give(.revision(.found(body, lastModified: nil))) == .mint)
    bench.give(.minted(now: Sample.noon.adding(seconds: 6), entropy: 1))
    let joined = try bench.created
    let revision = try #require(DailyRevision.decode(joined.body, date: draft.day.date).revision)
    #expect(revision.reading(of: .steps) == .value(100))
    #expect(revision.reading(of: .activeEnergy) == .value(300))
    #expect(revision.parent == theirs)
    bench.give(.put(.stored))
    bench.give(.revisions([id, theirs, joined.id]))
    #expect(bench.action == .readRevision(joined.id))
    bench.give(.revision(.found(joined.body, lastModified: nil)))
    #expect(bench.action == .finish(.pointerSkipped(joined.id)))
  }
}
