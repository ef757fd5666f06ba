import HealthModel
import ObjectStore
import Testing

@testable import HealthLedger

/// R30: the greatest valid revision of the pointer's and of those listed after it.
@Suite(.unit) struct ResolveMachineTests {
  let draft: DayDraft
  var machine: ResolveMachine

  init() throws {
    draft = try Sample.draft(steps: 100)
    machine = ResolveMachine(draft.day.date)
  }

  private func pointer(to id: RevisionID) -> PointerReading {
    .valid(LatestPointer(date: draft.day.date, revisionID: id), ETag("p"))
  }

  private func resolution(_ action: ResolveMachine.Action) throws -> Resolution {
    guard case .finish(let resolution) = action else {
      throw Unfinished(action: action)
    }
    return resolution
  }

  private struct Unfinished: Error { let action: ResolveMachine.Action }

  @Test mutating func `R30 a sound pointer costs three requests`() throws {
    let named = Sample.id(0)
    #expect(machine.start() == .readPointer)
    #expect(machine.handle(.pointer(pointer(to: named))) == .listRevisions(after: named))
    #expect(machine.handle(.revisions([])) == .readRevision(named))
    let end = try resolution(machine.handle(.revision(Sample.found(draft, named))))
    #expect(end.latest?.id == named)
    #expect(end.latest?.body == Sample.body(draft, named))
    #expect(end.rejected == [])
    #expect(!end.pointerDisagrees)
  }

  @Test mutating func `R30 a newer revision than the pointer's is the answer`() throws {
    let (named, newer) = (Sample.id(0), Sample.id(9))
    _ = machine.start()
    _ = machine.handle(.pointer(pointer(to: named)))
    #expect(machine.handle(.revisions([Sample.id(5), newer])) == .readRevision(newer))
    let end = try resolution(machine.handle(.revision(Sample.found(draft, newer))))
    #expect(end.latest?.id == newer)
    #expect(end.pointerDisagrees)
  }

  @Test mutating func `R30 an invalid newer revision is passed over and named`() throws {
    let (named, newer) = (Sample.id(0), Sample.id(9))
    _ = machine.start()
    _ = machine.handle(.pointer(pointer(to: named)))
    _ = machine.handle(.revisions([newer]))
    #expect(machine.handle(.revision(Sample.rubbish)) == .readRevision(named))
    let end = try resolution(machine.handle(.revision(Sample.found(draft, named))))
    #expect(end.latest?.id == named)
    #expect(end.rejected.map(\.id) == [newer])
    #expect(!end.pointerDisagrees)
  }

  @Test(arguments: [RevisionReading.absent, .tooLarge, Sample.rubbish])
  func `R30 behind a pointer to nothing valid the whole day is listed`(
    reading: RevisionReading
  ) throws {
    var machine = machine
    let (older, named) = (Sample.id(-9), Sample.id(0))
    _ = machine.start()
    _ = machine.handle(.pointer(pointer(to: named)))
    _ = machine.handle(.revisions([]))
    #expect(machine.handle(.revision(reading)) == .listRevisions(after: nil))
    // The one tried already is not read again.
    #expect(machine.handle(.revisions([older, named])) == .readRevision(older))
    let end = try resolution(machine.handle(.revision(Sample.found(draft, older))))
    #expect(end.latest?.id == older)
    #expect(end.rejected.map(\.id) == [named])
    #expect(end.pointerDisagrees)
  }

  @Test mutating func `R30 without a pointer the day is listed once`() throws {
    _ = machine.start()
    #expect(machine.handle(.pointer(.absent)) == .listRevisions(after: nil))
    let end = try resolution(machine.handle(.revisions([])))
    #expect(end.latest == nil && end.rejected == [] && end.pointer == .absent)
  }

  @Test mutating func `R30 a corrupt pointer hides nothing`() throws {
    let latest = Sample.id(3)
    _ = machine.start()
    #expect(machine.handle(.pointer(.corrupt(ETag("c"), []))) == .listRevisions(after: nil))
    #expect(machine.handle(.revisions([Sample.id(1), latest])) == .readRevision(latest))
    let end = try resolution(machine.handle(.revision(Sample.found(draft, latest))))
    #expect(end.latest?.id == latest)
    #expect(end.pointerDisagrees)
  }

  @Test mutating func `R30 a day without a valid revision lists each as rejected`() throws {
    _ = machine.start()
    _ = machine.handle(.pointer(pointer(to: Sample.id(1))))
    _ = machine.handle(.revisions([Sample.id(2), Sample.id(3)]))
    _ = machine.handle(.revision(Sample.rubbish))
    _ = machine.handle(.revision(.tooLarge))
    _ = machine.handle(.revision(.absent))
    let end = try resolution(machine.handle(.revisions([])))
    #expect(end.latest == nil)
    #expect(end.rejected.map(\.id) == [Sample.id(3), Sample.id(2), Sample.id(1)])
    #expect(end.rejected.map { $0.reason == .missing } == [false, false, true])
  }

  @Test mutating func `R34 a revision that only a listing named leaves the day when it is deleted`()
    throws
  {
    _ = machine.start()
    _ = machine.handle(.pointer(.absent))
    _ = machine.handle(.revisions([Sample.id(1)]))
    let end = try resolution(machine.handle(.revision(.absent)))
    #expect(end.latest == nil && end.rejected == [])
  }

  @Test mutating func `R41 a revision made a second before its id is the answer`() throws {
    let (older, newest) = (Sample.id(0), Sample.id(5))
    _ = machine.start()
    _ = machine.handle(.pointer(pointer(to: older)))
    _ = machine.handle(.revisions([newest]))
    // The bytes of `older` under the key of `newest`: generated_at differs from the id (R7).
    let end = try resolution(machine.handle(.revision(Sample.found(draft, older))))
    #expect(end.latest?.id == newest)
    #expect(end.latest?.revision.generatedAt == older.timestamp)
    #expect(end.latest?.violations.map(\.code) == ["generated_at_differs_from_id"])
    #expect(end.rejected == [])
  }

  @Test mutating func `R30 a revision of another date is not readable, and what hides it is first`()
    throws
  {
    let (moved, sound) = (Sample.id(5), Sample.id(0))
    _ = machine.start()
    _ = machine.handle(.pointer(pointer(to: sound)))
    _ = machine.handle(.revisions([moved]))
    let text = Sample.text(Sample.body(draft, sound)) {
      $0.replacing("01020304-0506-4708-890A-0B0C0D0E0F10", with: "phone")
        .replacing("\"schema_version\":\"health.v0\"", with: "\"schema_version\":\"health.v9\"")
    }
    #expect(
      machine.handle(.revision(.found(text, lastModified: nil)))
        == .readRevision(sound))
    let other = try Sample.draft(steps: 1, on: "2026-03-11")
    let next = machine.handle(.revision(Sample.found(other, sound)))
    #expect(next == .listRevisions(after: nil))
    let end = try resolution(machine.handle(.revisions([])))
    let codes = end.rejected.map { rejected in
      if case .invalid(let violations) = rejected.reason { violations.map(\.code) } else { [""] }
    }
    #expect(
      codes == [
        ["unknown_schema_version", "generated_at_differs_from_id", "bad_uuid"],
        ["date_differs_from_key"],
      ])
  }

  @Test mutating func `R30 boundaries of a newer time zone database do not hide a revision`()
    throws
  {
    // A zone that changed its rules after this machine's database was made: an hour earlier.
    let id = Sample.id(0)
    let text = String(decoding: Sample.body(draft, id), as: UTF8.self)
      .replacing("2026-03-10T00:00:00+01:00", with: "2026-03-10T00:00:00+02:00")
      .replacing("2026-03-11T00:00:00+01:00", with: "2026-03-11T00:00:00+02:00")
    #expect(!DailyRevision.decode(Array(text.utf8)).violations.isEmpty)
    _ = machine.start()
    _ = machine.handle(.pointer(pointer(to: id)))
    _ = machine.handle(.revisions([]))
    let end = try resolution(
      machine.handle(.revision(.found(Array(text.utf8), lastModified: nil))))
    #expect(end.latest?.id == id)
  }

  @Test mutating func `R34 what a listing showed is not asked again`() throws {
    let (older, latest) = (Sample.id(1), Sample.id(2))
    let known = DayKnowledge(revisions: [older, latest], pointer: pointer(to: latest))
    #expect(machine.start(known: known) == .readRevision(latest))
    #expect(machine.handle(.revision(Sample.rubbish)) == .readRevision(older))
    let end = try resolution(machine.handle(.revision(Sample.found(draft, older))))
    #expect(end.latest?.id == older)
  }

  @Test mutating func `R34 a pointer read after the listing may name a revision it lacks`() throws {
    let newer = Sample.id(9)
    let known = DayKnowledge(revisions: [Sample.id(1)], pointer: nil)
    #expect(machine.start(known: known) == .readPointer)
    #expect(machine.handle(.pointer(pointer(to: newer))) == .readRevision(newer))
  }
}
