import HealthModel
import ObjectStore
import TestSupport
import Testing

@testable import HealthLedger

/// A revision of the sample's day that is stored.
struct Placed {
  let id: RevisionID
  let revision: DailyRevision

  /// A draft joined with another revision.
  init(_ draft: DayDraft, at seconds: Int, over parent: Placed? = nil) {
    id = Sample.id(seconds)
    revision = JoinedDay(draft, over: parent?.surveyed ?? SurveyedDay()).revision(at: id.timestamp)
  }

  init(_ revision: DailyRevision) {
    id = RevisionID(at: revision.generatedAt, entropy: 0xABCDEF)
    self.revision = revision
  }

  var seconds: Int { id.timestamp.secondsSince1970 - Sample.noon.secondsSince1970 }
  var body: [UInt8] { revision.encoded }
  var found: RevisionReading { .found(body, lastModified: nil) }
  /// A day that has nothing else.
  var surveyed: SurveyedDay {
    SurveyedDay(
      newest: ReadRevision(id: id, revision: revision, conforms: true), words: revision.allWords,
      seen: (revision.seen ?? 0) + 1)
  }
}

/// R20: what a survey reads, and what it may leave unread.
@Suite(.unit) struct DaySurveyTests {
  let date: CalendarDate
  let base: Placed
  let middle: Placed
  /// Joined with `middle`, and that with `base`.
  let newest: Placed

  init() throws {
    date = try Sample.date()
    base = Placed(try Self.said(100, by: "a", at: 0), at: 0)
    middle = Placed(try Self.said(200, by: "b", at: 7), at: 7, over: base)
    newest = Placed(try Self.said(300, by: "c", at: 10), at: 10, over: middle)
  }

  private static func said(_ steps: Double, by name: String, at seconds: Int) throws -> DayDraft {
    DayDraft(
      day: try Sample.draft(steps: 0).day, collector: Sample.collector,
      source: try #require(DataSource(rawValue: name)), readings: [.steps: .value(steps)],
      capturedAt: Sample.noon.adding(seconds: seconds))
  }

  private struct Look {
    var actions: [DaySurvey.Action] = []
    var day = SurveyedDay()
    var greatestSeen: RevisionID?

    /// What was read, in seconds after noon.
    var reads: [Int] {
      actions.compactMap { action in
        guard case .readRevision(let id) = action else { return nil }
        return id.timestamp.secondsSince1970 - Sample.noon.secondsSince1970
      }
    }
  }

  /// Surveys a day with these revisions, and others in place of their bytes.
  private func look(
    _ placed: [Placed], _ pointer: PointerReading, changed: [Int: RevisionReading] = [:],
    readsPointer: Bool = true, known: DayKnowledge? = nil, change: DayDraft.RunChange? = nil
  ) -> Look {
    var stored = Dictionary(uniqueKeysWithValues: placed.map { ($0.id, $0.found) })
    for (seconds, reading) in changed { stored[Sample.id(seconds)] = reading }
    var survey = DaySurvey(date, movesPointer: readsPointer, changing: change)
    var look = Look()
    var action = survey.start(known: known, readsPointer: readsPointer)
    while action != .end {
      look.actions.append(action)
      switch action {
      case .readPointer: action = survey.handle(.pointer(pointer))
      case .listRevisions: action = survey.handle(.revisions(Array(stored.keys)))
      case .readRevision(let id): action = survey.handle(.revision(stored[id] ?? .absent))
      case .end: break
      }
    }
    (look.day, look.greatestSeen) = (survey.day, survey.greatestSeen)
    return look
  }

  private func pointer(to seconds: Int) -> PointerReading {
    .valid(LatestPointer(date: date, revisionID: Sample.id(seconds)), ETag("p"))
  }

  /// The newest revision with another number than it was written with.
  private var damaged: RevisionReading {
    let text = String(decoding: newest.body, as: UTF8.self)
    return .found(
      Array(text.replacing("\"steps\":300", with: "\"steps\":301").utf8), lastModified: nil)
  }

  @Test func `R20 a day without revisions is listed, and nothing is read`() {
    let look = look([], .absent)
    #expect(look.actions == [.readPointer, .listRevisions])
    #expect(look.day == SurveyedDay() && look.greatestSeen == nil)
  }

  @Test func `R20 the newest revision is enough where the pointer names it`() {
    let look = look([base, middle, newest], pointer(to: 10))
    #expect(look.reads == [10])
    #expect(look.day.newest?.id == newest.id && look.day.words.count == 3)
    #expect(look.greatestSeen == newest.id && !look.day.isObstructed)
  }

  @Test func `R20 what the pointer names is read first, and then what is above it`() {
    let look = look([base, middle, newest], pointer(to: 0))
    #expect(look.reads == [0, 10])
    #expect(look.day.newest?.id == newest.id && look.greatestSeen == newest.id)
  }

  @Test func `R20 a late revision below the newest one's parent is read if the pointer names it`()
    throws
  {
    let late = Placed(try Self.said(9, by: "late", at: 5), at: 5, over: base)
    let look = look([base, late, middle, newest], pointer(to: 5))
    // There is one more than the newest one's writer saw, so all are read.
    #expect(look.reads == [5, 10, 7, 0])
    #expect(look.day.words.count == 4 && look.day.newest?.id == newest.id)
  }

  @Test func `R20 of two copies of a store that were joined, both branches are read`() throws {
    let mine = Placed(try Self.said(9, by: "x", at: 3), at: 3, over: base)
    let more = Placed(try Self.said(8, by: "y", at: 5), at: 5, over: mine)
    let look = look([base, mine, more, middle, newest], pointer(to: 10))
    #expect(look.reads == [10, 7, 5, 3, 0] && look.day.words.count == 5)
    // What is joined with all of them accounts for all of them.
    var day = newest.surveyed
    (day.words, day.seen) = (look.day.words, look.day.seen)
    let joined = Placed(
      JoinedDay(try Self.said(1, by: "z", at: 20), over: day).revision(at: Sample.id(20).timestamp))
    #expect(self.look([base, mine, more, middle, newest, joined], pointer(to: 20)).reads == [20])
  }

  @Test func `R20 what lies between the newest revision and its parent is read`() throws {
    let between = Placed(try Self.said(9, by: "between", at: 8), at: 8, over: middle)
    let all = [base, middle, between, newest]
    #expect(look(all, pointer(to: 10)).reads == [10, 8])
    #expect(look(all, pointer(to: 0)).reads == [0, 10, 8])
    #expect(look(all, pointer(to: 10)).day.words.count == 4)
    // So it is where there is no pointer, and nothing else.
    let blind = look(all, .absent, readsPointer: false)
    #expect(blind.actions.first == .listRevisions && blind.reads == [10, 8])
  }

  @Test func `R60 no word of a damaged revision is taken, and it is replaced`() {
    let all = [base, middle, newest]
    for (named, reads) in [(10, [10, 7, 0]), (7, [7, 10])] {
      let look = look(all, pointer(to: named), changed: [10: damaged])
      #expect(look.reads == reads)
      #expect(look.day.newest?.id == middle.id && look.day.words.count == 2)
      #expect(look.day.isObstructed && look.day.damaged.keys.sorted() == [newest.id])
      #expect(look.greatestSeen == newest.id)
    }
    // Below what was read it is in nobody's way.
    let rest = look([base, newest], pointer(to: 10), changed: [8: damaged])
    let plain = look([base, newest], pointer(to: 10)).day
    #expect(rest.reads == [10, 8] && rest.day.words == plain.words && !rest.day.isObstructed)
  }

  @Test func `R20 a pointer that names nothing readable means to read all`() {
    let all = [base, middle, newest]
    let below = look(all, pointer(to: 3), changed: [3: Sample.rubbish])
    #expect(below.reads == [3, 10, 7, 0])
    #expect(!below.day.isObstructed && below.day.unreadable.isEmpty)
    let above = look(all, pointer(to: 20))
    #expect(above.reads == [20, 10, 7, 0])
    #expect(above.day.isObstructed && above.day.unreadable == [Sample.id(20)])
    #expect(above.greatestSeen == Sample.id(20))
  }

  @Test(arguments: [PointerReading.absent, .corrupt(ETag("c"), [])])
  func `R20 without a pointer that names anything all is read`(pointer: PointerReading) {
    let look = look([base, middle, newest], pointer)
    #expect(look.reads == [10, 7, 0] && !look.day.isObstructed)
  }

  @Test func `R34 what a listing has answered is not asked again`() {
    let ids = [base.id, newest.id, middle.id]
    let known = DayKnowledge(revisions: ids, pointer: pointer(to: 10))
    let all = [base, middle, newest]
    #expect(look(all, .absent, known: known).actions == [.readRevision(newest.id)])
    // The pointer is newer than the listing, and may name what that lacks.
    for (listed, named, reads) in [([0, 7], 0, [0, 7]), ([0, 7], 10, [10])] {
      let known = DayKnowledge(revisions: listed.map { Sample.id($0) }, pointer: nil)
      let look = look(all, pointer(to: named), known: known)
      #expect(look.actions.first == .readPointer && look.reads == reads)
      #expect(!look.actions.contains(.listRevisions))
    }
  }

  @Test func `R20 an older document stands alone, and a derived one does not`() throws {
    for (collector, reads) in [(Sample.collector, [10]), (Collector.derivation, [10, 7, 0])] {
      let older = Placed(
        DailyRevision(
          day: newest.revision.day, generatedAt: newest.id.timestamp, collector: collector,
          readings: [.steps: .value(5)]))
      #expect(look([base, middle, older], pointer(to: 10)).reads == reads)
    }
  }

  @Test func `R20 a revision that later rules made is not replaced`() throws {
    var bench = PublishBench(try Sample.draft(steps: 1))
    bench.give(.pointer(.absent))
    bench.give(.revisions([base.id]))
    let text = Sample.text(base.body) { $0.replacing("\"fold\":1", with: "\"fold\":2") }
    bench.give(.revision(.found(text, lastModified: nil)))
    #expect(bench.action == .fail(.newerRules(base.id)))
  }

  /// A number of the source of `base`, said by a run.
  private func said(
    _ steps: Double, by run: RunID, at seconds: Int, over parent: Placed? = nil
  ) throws -> Placed {
    var draft = try Self.said(steps, by: "a", at: seconds)
    draft.run = run
    for place in draft.words.indices { draft.words[place].extent = .whole }
    return Placed(draft, at: seconds, over: parent)
  }

  /// What a change of a run is stored as, at a moment.
  private func changed(
    _ change: DayDraft.RunChange, at seconds: Int, over placed: [Placed]
  ) throws -> Placed {
    let newest = try #require(placed.last)
    let surveyed = look(placed, pointer(to: newest.seconds), change: change).day
    let draft = DayDraft(change, of: newest.revision.day, Sample.collector, at: newest.id.timestamp)
    return Placed(
      JoinedDay(draft.following(surveyed.words), over: surveyed)
        .revision(at: Sample.id(seconds).timestamp))
  }

  @Test func `R20 to undo a run all is read, because what it hid is in older revisions`() throws {
    let (mine, his) = (RunID(at: Sample.noon), try #require(RunID(rawValue: "his")))
    let first = try said(100, by: mine, at: 0)
    let second = try said(200, by: his, at: 7, over: first)
    let all = [first, second]
    #expect(look(all, pointer(to: 7)).reads == [7])
    let undo = DayDraft.RunChange(his, isUndone: true)
    let seen = look(all, pointer(to: 7), change: undo)
    #expect(Set(seen.reads) == [7, 0] && seen.day.words.undone == [his: 1])
    #expect(seen.day.words.all.map(\.run) == [mine] && seen.day.words.withdrawn.map(\.run) == [his])
    // A run that has said nothing of the day changes nothing in it.
    let other = DayDraft.RunChange(try #require(RunID(rawValue: "other")), isUndone: true)
    #expect(look(all, pointer(to: 7), change: other).day.words.undone.isEmpty)

    // Once it is undone, the newest revision is enough; to restore it, all is read again.
    let undone = try changed(undo, at: 10, over: all)
    #expect(undone.revision.reading(of: .steps).number == 100)
    #expect(look(all + [undone], pointer(to: 10), change: undo).reads == [10])
    let restore = DayDraft.RunChange(his, isUndone: false)
    let restored = look(all + [undone], pointer(to: 10), change: restore)
    #expect(Set(restored.reads) == [10, 7, 0] && restored.day.words.undone == [his: 2])
    #expect(restored.day.words.all.map(\.run) == [his])
  }

  @Test func `R20 a revision of an undone run that came between is read with all below it`() throws
  {
    let (mine, his) = (RunID(at: Sample.noon), try #require(RunID(rawValue: "his")))
    let first = try said(100, by: mine, at: 0)
    let second = try said(200, by: his, at: 5, over: first)
    let undone = try changed(.init(his, isUndone: true), at: 10, over: [first, second])
    // Its writer did not see the undo, and the undo did not see it.
    let between = try said(300, by: his, at: 8, over: second)
    let seen = look([first, second, between, undone], pointer(to: 10))
    #expect(Set(seen.reads) == [10, 8, 5, 0] && seen.day.words.undone == [his: 1])
    #expect(Fold(seen.day.words).reading(of: .steps).number == 100)
    // Nor does one that its machine writes later, of what it knew before.
    let later = try said(300, by: his, at: 12, over: second)
    let after = look([first, second, undone, later], pointer(to: 12))
    #expect(Fold(after.day.words).reading(of: .steps).number == 100)
  }

  @Test func `R20 data is read once: a second survey does not make it newer`() throws {
    var bench = try PublishBench.moving(try Sample.draft(steps: 100))
    let mine = try bench.written.id
    let stored = Placed(bench.draft, at: 0)
    var later = try Sample.draft(steps: 50, capturedAt: Sample.id(9).timestamp)
    later.words[0].extent = bench.draft.words[0].extent
    let theirs = Placed(later, at: 9)
    bench.give(.put(.refused))
    bench.give(.rested)
    bench.givePointer(to: theirs.id)
    bench.give(.revisions([mine, theirs.id]))
    bench.give(.revision(theirs.found))
    bench.give(.revision(stored.found))
    #expect(bench.action == .finish(.superseded(mine, by: theirs.id)))
  }
}
