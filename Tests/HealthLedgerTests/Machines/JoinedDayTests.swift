import HealthModel
import Testing

@testable import HealthLedger

/// R20: what a day says once a source's words are joined with it, and whether that is stored already.
@Suite(.unit) struct JoinedDayTests {
  let noon = Sample.noon
  let steps = WordGroup(of: .steps)
  /// 100 steps of HealthKit, read at noon.
  let stored: Placed

  init() throws { stored = Placed(try Sample.draft(steps: 100), at: 0) }

  /// A draft of so many seconds after noon, and what else is to be so of its words.
  private func said(
    _ readings: [DailyMetric: MetricReading], by source: DataSource = .healthKit,
    at seconds: Int = 60, zone: String = "Europe/Berlin", _ change: (inout Word) -> Void = { _ in }
  ) throws -> DayDraft {
    var draft = DayDraft(
      day: try ReportingDay(date: try Sample.date(), timeZoneName: zone),
      collector: Sample.collector, source: source, readings: readings,
      capturedAt: noon.adding(seconds: seconds))
    for place in draft.words.indices { change(&draft.words[place]) }
    return draft
  }

  private func said(_ steps: Double, by source: DataSource = .healthKit, at seconds: Int = 60)
    throws -> DayDraft
  { try said([.steps: .value(steps)], by: source, at: seconds) }

  private func number(_ joined: JoinedDay, _ metric: DailyMetric = .steps) -> Double? {
    joined.readings[metric]?.number
  }

  @Test func `R20 a source that says the same again has nothing to store`() throws {
    let again = try said(100)
    #expect(JoinedDay(again, over: stored.surveyed).isStored)
    #expect(!JoinedDay(try said(101), over: stored.surveyed).isStored)
    #expect(!JoinedDay(try said(100, by: .metricsJSON), over: stored.surveyed).isStored)
    // An authority's word is another one.
    let surer = try said([.steps: .value(100)]) { $0.isAuthority = true }
    #expect(!JoinedDay(surer, over: stored.surveyed).isStored)
  }

  @Test func `R20 over a breach of a rule, damage or older rules even a repeat is stored`() throws {
    let again = try said(100)
    var day = stored.surveyed
    day.isObstructed = true
    #expect(!JoinedDay(again, over: day).isStored)
    day = stored.surveyed
    day.newest = ReadRevision(id: stored.id, revision: stored.revision, conforms: false)
    #expect(!JoinedDay(again, over: day).isStored)
    var older = stored.revision
    older.foldVersion -= 1
    #expect(!JoinedDay(again, over: Placed(older).surveyed).isStored)
  }

  @Test func `R20 the newest revision is the parent, and lacks what another one has`() throws {
    var day = stored.surveyed
    day.words.join(DayWords(try Sample.energy(300).words))
    let joined = JoinedDay(try said(100), over: day)
    #expect(!joined.isStored && number(joined, .activeEnergy) == 300)
    #expect(joined.revision(at: Sample.id(90).timestamp).parent == stored.id)
  }

  @Test func `R8 what is read now is later than all that is known`() throws {
    for known in [0, 1000] {
      let day = Placed(try said(200, by: .healthAutoExport, at: known), at: known).surveyed
      var draft = try said([.steps: .value(50)], at: 0) { $0.isAuthority = true }
      #expect(number(JoinedDay(draft.following(day.words), over: day)) == 200)
      draft.isReadNow = true
      let read = draft.following(day.words)
      #expect(read.capturedAt == noon.adding(seconds: known + 1) && !read.isReadNow)
      #expect(number(JoinedDay(read, over: day)) == 50)
    }
    // So is what a source says anew of the moment of which it has spoken.
    let lower = try said(50, at: 0)
    #expect(number(JoinedDay(lower, over: stored.surveyed)) == 100)
    #expect(number(JoinedDay(lower.following(stored.surveyed.words), over: stored.surveyed)) == 50)
  }

  @Test func `R20 what is forced takes the place of its source's word that reaches further`() throws
  {
    let span = DaySpans(stored.revision.day).day
    func half(_ steps: Double, until hours: Int) throws -> DayDraft {
      try said([.steps: .value(steps)]) {
        $0.extent = WordExtent(from: nil, to: noon.adding(seconds: hours * 3600), in: span)
        $0.isAuthority = true
      }
    }
    let evening = Placed(try half(900, until: 6), at: 60).surveyed
    var draft = try half(500, until: 0)
    #expect(number(JoinedDay(draft, over: evening)) == 900)
    draft.isReadNow = true
    let forced = JoinedDay(draft.following(evening.words), over: evening)
    #expect(number(forced) == 500 && forced.words.count == 1)
    #expect(forced.words.all.allSatisfy { $0.extent.to == noon.adding(seconds: 6 * 3600) })
    // The extent of another zone's day is none of its own.
    let tokyo = Placed(try said([.steps: .value(1)], at: 0, zone: "Asia/Tokyo"), at: 0).surveyed
    let beside = JoinedDay(draft.following(tokyo.words), over: tokyo)
    #expect(beside.words.all.contains { $0.extent.to == noon && $0.zone == "Europe/Berlin" })
  }

  @Test func `R49 a word of streams with another number has all that those which it replaces had`()
    throws
  {
    let span = DaySpans(stored.revision.day).day
    func part(_ steps: Double, from: Int?, to: Int?) throws -> DayDraft {
      func moment(_ hours: Int?) -> Timestamp? { hours.map { noon.adding(seconds: $0 * 3600) } }
      return try said([.steps: .value(steps)], by: .streams) {
        $0.extent = WordExtent(from: moment(from), to: moment(to), in: span)
      }
    }
    let morning = Placed(try part(900, from: nil, to: -2), at: 60).surveyed
    for (from, to) in [(8, nil), (-4, 2)] as [(Int, Int?)] {
      var draft = try part(500, from: from, to: to)
      draft.isReadNow = true
      let day = JoinedDay(draft.following(morning.words), over: morning)
      #expect(number(day) == 500)
      let extent = try #require(Fold(day.words).figures.values.first?.words[0].extent)
      #expect(extent.from == nil && extent.to == to.map { noon.adding(seconds: $0 * 3600) })
    }
  }

  @Test func `R60 what only a damaged revision had is named, and no day is as it was`() throws {
    let day: [DailyMetric: MetricReading] = [.steps: .value(100)]
    var damaged = stored.surveyed
    damaged.isObstructed = true
    // The person's own number, under which the source's shows again; and one that nobody else has.
    damaged.damaged = [Sample.id(5): [.steps: .value(5000), .weight: .value(71)]]
    let joined = JoinedDay(try said(day), over: damaged)
    #expect(joined.readings[.steps] == .value(100) && !joined.earlier.areSame)
    #expect(joined.earlier.lost == [.steps, .weight] && joined.earlier.damaged == [Sample.id(5)])
    damaged.damaged = [Sample.id(5): stored.revision.readings]
    let same = JoinedDay(try said(day), over: damaged).earlier
    #expect(same.areSame && same.lost.isEmpty && same.damaged == [Sample.id(5)])
  }

  @Test func `R49 the deriver's word replaces its own, whatever their moments`() throws {
    let day = Placed(try said(200, by: .streams, at: 0), at: 0).surveyed
    var draft = try said(100, by: .streams, at: -60)
    #expect(number(JoinedDay(draft.following(day.words), over: day)) == 200)
    draft.isReadNow = true
    #expect(number(JoinedDay(draft.following(day.words), over: day)) == 100)
    // Nor does what it no longer speaks of stay.
    draft = try said([.activeEnergy: .value(1)], by: .streams, at: -60)
    (draft.isReadNow, draft.retracts) = (true, .everything)
    #expect(number(JoinedDay(draft.following(day.words), over: day)) == nil)
  }

  @Test func `R20 a later word of less of the day does not replace a wider one`() throws {
    let span = DaySpans(stored.revision.day).day
    let morning = try said([.steps: .value(50)]) {
      $0.extent = WordExtent(from: nil, to: noon.adding(seconds: -3600), in: span)
    }
    #expect(JoinedDay(morning, over: stored.surveyed).isStored)
  }

  @Test func `R8 nothing in a revision was captured after it`() throws {
    let revision = JoinedDay(try said(1, at: 500), over: SurveyedDay())
      .captured(by: noon).revision(at: noon)
    let words = Array(revision.words.all)
    #expect(words.map(\.capturedAt) == [noon] && words.map(\.extent.to) == [noon])
    let inTime = JoinedDay(try said(1, at: -500), over: SurveyedDay()).revision(at: noon)
    #expect(inTime.words.all.map(\.extent.to) == [noon.adding(seconds: -500)])
  }

  @Test func `R8 a clock ahead of the day's end does not make what it read complete`() throws {
    // Streams have 200 of the whole day; a source has 100 that it says it read after the day's end.
    let end = stored.revision.day.end.timestamp
    let day = Placed(
      try said([.steps: .value(200)], by: .streams, at: 0) {
        ($0.extent, $0.readsAll) = (.whole, false)
      }, at: 0
    ).surveyed
    var draft = try said(100)
    draft.capturedAt = end.adding(seconds: 60)
    for place in draft.words.indices {
      (draft.words[place].extent, draft.words[place].capturedAt) = (.whole, draft.capturedAt)
    }
    #expect(number(JoinedDay(draft, over: day)) == 100)
    let moment = noon.adding(seconds: 30)
    let joined = JoinedDay(draft, over: day).captured(by: moment)
    #expect(number(joined) == 200)
    let written = DailyRevision.decode(
      joined.revision(at: moment).encoded, date: draft.day.date, boundaries: .asWritten)
    #expect(written.violations.isEmpty)
  }

  @Test func `R19 the metrics of a group that a source leaves stay as they are`() throws {
    let rates: [DailyMetric: MetricReading] = [
      .heartRateMean: .value(60), .heartRateMinimum: .value(50), .heartRateMaximum: .value(120),
    ]
    let day = Placed(try said(rates, at: 0), at: 0).surveyed
    var draft = try said([.heartRateMaximum: .value(130)], by: .metricsJSON)
    draft.leaves = [.heartRateMean, .heartRateMinimum]
    let joined = JoinedDay(draft, over: day)
    #expect(number(joined, .heartRateMean) == 60 && number(joined, .heartRateMaximum) == 130)
    // Why a source has no number of what it does not speak of is of no interest where there is one.
    var silent = try said([.steps: .unsupported], by: .metricsJSON)
    silent.leaves = [.steps]
    #expect(JoinedDay(silent, over: stored.surveyed).isStored)
    #expect(JoinedDay(silent, over: SurveyedDay()).readings[.steps] == .unsupported)
  }

  @Test func `R19 a latest value that a source leaves stays beside the same mean alone`() throws {
    let metrics: [DailyMetric] = [.weight, .weightLatest, .weightLatestTime]
    let evening = Dictionary(uniqueKeysWithValues: zip(metrics, [69.6, 69, 1140])).mapValues(
      MetricReading.value)
    let day = Placed(try said(evening, at: 0), at: 0).surveyed
    func numbers(_ named: [DailyMetric: Double]) throws -> [Double?] {
      var draft = try said(named.mapValues(MetricReading.value), by: .metricsJSON)
      draft.leaves = Set(metrics).subtracting(named.keys)
      let joined = JoinedDay(draft, over: day)
      return metrics.map { number(joined, $0) }
    }
    #expect(try numbers([.weight: 69.6]) == [69.6, 69, 1140])
    #expect(try numbers([.weight: 70]) == [70, nil, nil])
    #expect(try numbers([.weightLatest: 69.2]) == [69.6, 69.2, nil])
    #expect(try numbers([.weightLatest: 69.2, .weightLatestTime: 1200]) == [69.6, 69.2, 1200])
  }

  @Test func `R19 a source takes back what it said of the date in another zone`() throws {
    let (early, late) = (noon.secondsSince1970 - 86_400, noon.secondsSince1970 + 86_400)
    func left(
      _ zone: String, _ moments: Range<Int>, _ groups: Set<WordGroup>,
      by source: DataSource = .healthAutoExport, saidAt seconds: Int = 0, empty: Timestamp? = nil
    ) throws -> Double? {
      let span = early - 86_400..<late + 86_400
      let old = try said([.steps: .value(5000)], by: .healthAutoExport, at: seconds, zone: zone) {
        if let empty { $0.extent = WordExtent(from: empty, to: empty, in: span) }
      }
      var draft = try Sample.energy(300, capturedAt: noon.adding(seconds: 60))
      draft.source = source
      draft.retracts = .otherZones(
        within: Dictionary(uniqueKeysWithValues: groups.map { ($0, moments) }))
      return number(JoinedDay(draft, over: Placed(old, at: seconds).surveyed))
    }
    #expect(try left("Asia/Tokyo", early..<late, [steps]) == nil)
    #expect(try left("Asia/Tokyo", early..<late, [steps], by: .healthKit) == 5000)
    #expect(try left("Asia/Tokyo", early..<late, []) == 5000)
    #expect(try left("Asia/Tokyo", noon.secondsSince1970 - 60..<late, [steps]) == 5000)
    #expect(try left("Europe/Berlin", early..<late, [steps]) == 5000)
    // What it said at the same moment is of the same input.
    #expect(
      try left("Asia/Tokyo", noon.secondsSince1970 - 60..<late, [steps], saidAt: 60) == nil)
    // What has no moment, because it was captured as its part of the day began, stands where that begins.
    #expect(try left("Asia/Tokyo", early..<late, [steps], empty: noon) == nil)
    #expect(try left("Asia/Tokyo", noon.secondsSince1970 + 60..<late, [steps], empty: noon) == 5000)
  }

  @Test func `R19 the day is that of the zone that was set, an authority's before others`() throws {
    let tokyo = Placed(try said([.steps: .value(1)], at: 0, zone: "Asia/Tokyo"), at: 0)
    let loose = try said([.activeEnergy: .value(1)]) { $0.isZoneSet = false }
    #expect(JoinedDay(loose, over: tokyo.surveyed).day == tokyo.revision.day)
    let moved = try said([.activeEnergy: .value(1)])
    #expect(JoinedDay(moved, over: tokyo.surveyed).day == moved.day)
    let sure = Placed(
      try said([.steps: .value(1)], at: 0, zone: "Asia/Tokyo") { $0.isAuthority = true }, at: 0)
    #expect(JoinedDay(moved, over: sure.surveyed).day == sure.revision.day)
  }

  @Test func `R20 an authority's repeat counts where another word came between`() throws {
    func sure(_ number: Double, _ source: DataSource, _ seconds: Int) throws -> DayDraft {
      try said([.steps: .value(number)], by: source, at: seconds) { $0.isAuthority = true }
    }
    let export = Placed(try sure(9000, .appleHealthExport, 0), at: 0)
    #expect(JoinedDay(try sure(9000, .appleHealthExport, 9), over: export.surveyed).isStored)
    let corrected = Placed(try sure(7500, .metricsJSON, 10), at: 10, over: export)
    let again = JoinedDay(try sure(9000, .appleHealthExport, 20), over: corrected.surveyed)
    #expect(number(again) == 9000 && !again.isStored)
  }

  @Test func `R14 members that this version does not know are kept, newer ones first`() throws {
    func noted(_ members: [String: JSONValue], _ seconds: Int) throws -> DayDraft {
      var draft = try said(100, at: seconds)
      draft.unknownMembers = members
      return draft
    }
    let day = Placed(
      try noted(["note": .string("x"), "metrics": .object(["mood": .number(7)])], 0), at: 0
    ).surveyed
    #expect(JoinedDay(try noted([:], 9), over: day).isStored)
    let joined = JoinedDay(
      try noted(["metrics": .object(["mood": .number(8)])], 9), over: day)
    #expect(!joined.isStored)
    #expect(
      joined.unknownMembers == ["note": .string("x"), "metrics": .object(["mood": .number(8)])])
  }

  @Test func `R13 a document that would be too large lacks the words of other zones`() throws {
    var day = stored.surveyed
    for place in 0..<800 {
      let source = try #require(DataSource(rawValue: "source-\(place)"))
      day.words.join(
        Word(
          source, steps, [.value(Double(place))],
          zone: place.isMultiple(of: 2) ? "Europe/Berlin" : "America/New_York",
          capturedAt: noon.adding(seconds: -place)))
    }
    let joined = JoinedDay(try said(101), over: day)
    #expect(joined.words.count == 401 && joined.words.all.allSatisfy { $0.zone == "Europe/Berlin" })
    #expect(joined.revision(at: noon).encoded.count <= DailyRevision.maximumBytes)
    #expect(Fold(joined.words).reading(of: .steps) == joined.readings[.steps])
  }
}
