import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R20 and R21: what a publisher learns before it writes.
@Suite(.unit) struct PublishSurveyTests {
  let draft: DayDraft
  let other: DayDraft

  init() throws {
    draft = try Sample.draft(steps: 100)
    other = try Sample.draft(steps: 200)
  }

  @Test func `R20 the survey reads the pointer and lists what is newer`() {
    var bench = PublishBench(draft)
    #expect(bench.action == .readPointer)
    #expect(bench.givePointer(to: Sample.id(-60)) == .listRevisions(after: Sample.id(-60)))
  }

  @Test func `R20 without a pointer the whole day is listed`() {
    var bench = PublishBench(draft)
    #expect(bench.give(.pointer(.absent)) == .listRevisions(after: nil))
  }

  @Test func `R20 behind a corrupt pointer the whole day is listed`() {
    var bench = PublishBench(draft)
    #expect(bench.give(.pointer(.corrupt(ETag("c"), []))) == .listRevisions(after: nil))
  }

  @Test func `R20 an equal payload is unchanged and writes nothing`() {
    var bench = PublishBench(draft)
    let latest = Sample.id(-60)
    bench.givePointer(to: latest)
    #expect(bench.give(.revisions([])) == .readRevision(latest))
    #expect(bench.give(.revision(Sample.found(draft, latest))) == .finish(.unchanged(latest)))
  }

  @Test func `R20 the moment of capture does not make a payload new`() throws {
    let later = try Sample.draft(steps: 100, capturedAt: Sample.noon.adding(seconds: 7200))
    var bench = PublishBench(later)
    let latest = Sample.id(-60)
    bench.givePointer(to: latest)
    bench.give(.revisions([]))
    #expect(bench.give(.revision(Sample.found(draft, latest))) == .finish(.unchanged(latest)))
  }

  @Test func `R20 unchanged heals a pointer that is behind`() throws {
    var bench = PublishBench(draft)
    let (named, newer) = (Sample.id(-60), Sample.id(-30))
    bench.givePointer(to: named, etag: "\"old\"")
    #expect(bench.give(.revisions([newer])) == .readRevision(newer))
    bench.give(.revision(Sample.found(draft, newer)))
    #expect(try bench.written == (newer, .matches(ETag("\"old\""))))
    #expect(bench.give(.put(.stored)) == .finish(.unchanged(newer)))
  }

  @Test func `R20 unchanged heals a missing and a corrupt pointer`() throws {
    for (reading, precondition) in [
      (PointerReading.absent, Precondition.absent),
      (.corrupt(ETag("c"), []), .matches(ETag("c"))),
    ] {
      var bench = PublishBench(draft)
      let latest = Sample.id(-60)
      bench.give(.pointer(reading))
      bench.give(.revisions([Sample.id(-90), latest]))
      bench.give(.revision(Sample.found(draft, latest)))
      #expect(try bench.written == (latest, precondition))
    }
  }

  @Test func `R24 unchanged does not touch the pointer of a store without compare-and-swap`() {
    var bench = PublishBench(draft, movesPointer: false)
    let latest = Sample.id(-60)
    bench.give(.pointer(.absent))
    bench.give(.revisions([latest]))
    #expect(bench.give(.revision(Sample.found(draft, latest))) == .finish(.unchanged(latest)))
  }

  @Test func `R20 invalid, oversized and vanished revisions are passed over`() {
    for reading in [Sample.rubbish, .tooLarge, .absent] {
      var bench = PublishBench(draft)
      let (broken, latest) = (Sample.id(-30), Sample.id(-60))
      bench.give(.pointer(.absent))
      #expect(bench.give(.revisions([latest, broken])) == .readRevision(broken))
      #expect(bench.give(.revision(reading)) == .readRevision(latest))
      #expect(bench.give(.revision(Sample.found(other, latest))) == .mint)
    }
  }

  @Test func `R20 an equal payload that breaks a rule is published again`() throws {
    var bench = PublishBench(draft)
    let latest = Sample.id(-60)
    bench.givePointer(to: latest)
    bench.give(.revisions([]))
    // The bytes of a second before: readable, with another generated_at than its id (R7).
    #expect(bench.give(.revision(Sample.found(draft, Sample.id(-61)))) == .mint)
  }

  @Test func `R6, R21 a lower-case suffix of the same second is exceeded by a second`() throws {
    let lower = try #require(RevisionID("20260310T120000Z-ffffff"))
    var bench = PublishBench(draft)
    bench.give(.pointer(.absent))
    bench.give(.revisions([lower, Sample.id(0)]))
    #expect(bench.action == .readRevision(lower))
    bench.give(.revision(Sample.rubbish))
    bench.give(.revision(Sample.found(other, Sample.id(0))))
    bench.give(.minted(now: Sample.noon, entropy: 0))
    #expect(try bench.created.id == Sample.id(1, entropy: 0))
    #expect(try bench.created.id > lower)
  }

  @Test(arguments: ["000000", "FFFFFFFF", "ffffffff"])
  func `R21 the calendar's last second is never minted after itself, whatever the suffix`(
    suffix: String
  ) throws {
    let last = try #require(RevisionID("99991231T235959Z-\(suffix)"))
    for entropy in [0, UInt32.max] {
      var bench = PublishBench(draft)
      bench.give(.pointer(.absent))
      bench.give(.revisions([last]))
      bench.give(.revision(Sample.rubbish))
      #expect(bench.give(.minted(now: Sample.noon, entropy: entropy)) == .fail(.noGreaterID(last)))
    }
    let before = try #require(RevisionID("99991231T235958Z-\(suffix)"))
    var bench = PublishBench(draft)
    bench.give(.pointer(.absent))
    bench.give(.revisions([before]))
    bench.give(.revision(Sample.rubbish))
    bench.give(.minted(now: Sample.noon, entropy: 1))
    #expect(try bench.created.id.rawValue == "99991231T235959Z-00000001")
  }

  @Test(arguments: [true, false])
  func `R20 a pointer that names nothing valid is repaired by a newer revision`(listed: Bool) {
    // The older revision has the same payload, yet "unchanged" would leave the pointer broken.
    let (older, named) = (Sample.id(-90), Sample.id(-60))
    let value = LatestPointer(date: draft.day.date, revisionID: named)
    let known = DayKnowledge(revisions: [older], pointer: .valid(value, ETag("p")))
    var bench = PublishBench(draft, known: listed ? known : nil)
    if !listed {
      bench.givePointer(to: named)
      bench.give(.revisions([]))
    }
    #expect(bench.action == .readRevision(named))
    #expect(bench.give(.revision(.absent)) == .mint)
  }

  @Test func `R34 a listing answers the survey without a request`() throws {
    let bench = PublishBench(draft, known: DayKnowledge())
    #expect(bench.action == .mint)
    let undecided = PublishBench(draft, known: DayKnowledge(pointer: nil))
    #expect(undecided.action == .readPointer)
  }

  @Test func `R21 the id is the clock's where it is ahead of the day`() throws {
    let bench = try PublishBench.creating(draft)
    #expect(try bench.created.id == RevisionID(at: Sample.noon, entropy: 0xABCDEF))
  }

  @Test func `R21 the id is a second after the greatest, valid or not`() throws {
    var bench = PublishBench(draft)
    let broken = Sample.id(86_400)
    bench.givePointer(to: Sample.id(-60))
    bench.give(.revisions([broken]))
    bench.give(.revision(Sample.rubbish))
    bench.give(.revision(Sample.found(other, Sample.id(-60))))
    bench.give(.minted(now: Sample.noon, entropy: 0))
    #expect(try bench.created.id == Sample.id(86_401, entropy: 0))
  }

  @Test func `R21 a second upload within a second sorts after the first`() throws {
    var bench = PublishBench(draft)
    let first = Sample.id(0, entropy: .max)
    bench.give(.pointer(.absent))
    bench.give(.revisions([first]))
    bench.give(.revision(Sample.found(other, first)))
    bench.give(.minted(now: Sample.noon, entropy: 0))
    #expect(try bench.created.id > first)
  }

  @Test func `R21 no later id exists after the last second of the year 9999`() throws {
    let last = try #require(RevisionID("99991231T235959Z-FFFFFFFF"))
    var bench = PublishBench(draft)
    bench.give(.pointer(.absent))
    bench.give(.revisions([last]))
    bench.give(.revision(Sample.rubbish))
    #expect(bench.give(.minted(now: Sample.noon, entropy: 1)) == .fail(.noGreaterID(last)))
  }

  @Test func `R7 the body carries the id's moment and the collector's own`() throws {
    var bench = PublishBench(draft)
    bench.give(.pointer(.absent))
    bench.give(.revisions([]))
    bench.give(.minted(now: Sample.noon.adding(seconds: 5), entropy: 1))
    let (id, body) = try bench.created
    let decoded = DailyRevision.decode(body, date: draft.day.date, id: id)
    #expect(decoded.violations == [])
    #expect(decoded.revision?.generatedAt == id.timestamp)
    #expect(decoded.revision?.capturedAt == Sample.noon)
  }

  @Test func `R13 an oversized draft is refused before anything is sent`() {
    var large = draft
    large.unknownMembers["note"] = .string(String(repeating: "x", count: 70_000))
    let bench = PublishBench(large)
    guard case .fail(.invalid(let violations)) = bench.action else {
      Issue.record("\(bench.action)")
      return
    }
    #expect(violations.map(\.code) == ["too_large"])
  }

  @Test func `R13 a draft that fits only without captured_at is refused`() throws {
    var large = draft
    large.unknownMembers["note"] = .string("")
    let empty = large.revision(at: Sample.noon).encoded.count
    large.unknownMembers["note"] = .string(
      String(repeating: "x", count: DailyRevision.maximumBytes - empty))
    var bench = PublishBench(large)
    bench.give(.pointer(.absent))
    bench.give(.revisions([]))
    bench.give(.minted(now: Sample.noon.adding(seconds: 1), entropy: 1))
    guard case .fail(.tooLarge(let bytes)) = bench.action else {
      Issue.record("\(bench.action)")
      return
    }
    #expect(bytes > DailyRevision.maximumBytes)
  }

  @Test func `R9 a draft that readers would pass over is refused before anything is sent`() {
    for value in [-1.0, .nan, .infinity] {
      var broken = draft
      broken.readings[.steps] = .value(value)
      guard case .fail(.invalid) = PublishBench(broken).action else {
        Issue.record("\(value) was accepted")
        return
      }
    }
  }
}
