import HealthModel
import TestSupport
import Testing

@testable import Race

/// Random runs: the sound protocol survives them, every broken one is caught, and seeds are exact.
@Suite(.unit, .slow) struct CampaignTests {
  @Test func `the ledger's machines keep every promise in 3,000 runs`() throws {
    var campaign = try Campaign(.sound, seed: 1)
    let report = campaign.play(3000)
    #expect(report.failure == nil, "\(String(describing: report.failure?.shortest.text))")
    #expect(report.runs == 3000)
    #expect(report.faults > 2000)
  }

  @Test(arguments: Subject.broken)
  func `every broken protocol and store is caught, and its shortest schedule breaks it again`(
    subject: Subject
  ) throws {
    var campaign = try Campaign(subject, seed: 1)
    let failure = try #require(campaign.play(KillMatrix.maximumRuns).failure)
    let timeline = try Timeline(try Schedule(failure.shortest.text))
    #expect(timeline.breach?.oracle == failure.breach.oracle)
    #expect(timeline.lines.count <= failure.length)
    // On the sound protocol and store the same steps break nothing.
    var sound = failure.shortest
    sound.scenario.subject = .sound
    #expect(try Timeline(sound).breach == nil)
  }

  @Test func `a seed always gives the same runs`() throws {
    var first = try Campaign(.sound, seed: 7)
    var second = try Campaign(.sound, seed: 7)
    let report = first.play(300)
    // In other portions, too.
    _ = second.play(100)
    #expect(second.play(200).digest == report.digest)
    var other = try Campaign(.sound, seed: 8)
    #expect(other.play(300).digest != report.digest)
    let alone = try Campaign.schedule(of: 17, .sound)
    var runs = try RandomRuns(.sound)
    for seed in UInt64(0)..<17 { _ = runs.race(seed) }
    let race = runs.race(17)
    #expect(Schedule(race.scenario, race.steps) == alone)
    #expect(try Timeline(alone) == Timeline(alone))
  }

  @Test func `a run's history survives its file and all its oracles`() throws {
    for seed in UInt64(1)...60 {
      let timeline = try Timeline(try Campaign.schedule(of: seed, .sound))
      let history = try HistoryFile.decode(HistoryFile.encode(timeline.history))
      #expect(history == timeline.history)
      guard !timeline.schedule.steps.contains(where: \.isInterference) else { continue }
      #expect(history.findings() == [])
    }
  }

  /// Whatever was played before it, and in whatever order the machines' states were met.
  @Test func `the same seed gives a byte-identical log`() throws {
    for seed in [UInt64(3), 17, 260] {
      let alone = try Timeline(try Campaign.schedule(of: seed, .sound))
      var runs = try RandomRuns(.sound)
      for other in UInt64(300)..<340 { _ = runs.race(other) }
      let race = runs.race(seed)
      let log = HistoryFile.encode(race.history(runs.model.automata.codes))
      #expect(log == HistoryFile.encode(alone.history))
    }
  }

  /// What `s3race check` judges on recorded races it judges on the model's as well.
  @Test func `a history of the model has digests, requests and looks at revisions`() throws {
    var seen: Set<String> = []
    for seed in UInt64(1)...40 {
      for event in try Timeline(try Campaign.schedule(of: seed, .sound)).history.events {
        switch event.observation {
        case .write(_, let digest, let requests, let movesPointer):
          if digest?.utf8.count == 64 { seen.insert("digest") }
          if let requests, requests > 2 { seen.insert("requests") }
          if !movesPointer { seen.insert("without pointer") }
        case .revision(_, let digest): if digest?.utf8.count == 64 { seen.insert("look") }
        case .read, .pointer, .said, .shown: continue
        }
      }
    }
    #expect(seen == ["digest", "requests", "without pointer", "look"])
  }

  /// Two ids of one second: the greater has the word that a wrong clock limited, the lesser the one that was
  /// captured later. Both have the same number, and the next revision joins them (R20).
  @Test func `R20 a later word with the same number is joined, and not taken for stored twice`()
    throws
  {
    let schedule = try Schedule(
      """
      subject=sound start=absent writers=3 clocks=decade twins=1 : u1 u3 u2 u2 u1 u2 u3 u3 u3 k3 u1 s3 u3 u3 \
      u3 u3 u3 u3
      """)
    let timeline = try Timeline(schedule)
    #expect(timeline.breach == nil)
    #expect(timeline.lines.last?.request.hasPrefix("PUT revision") == true)
  }

  /// R24: nobody writes the pointer, and readers list.
  @Test func `a store without compare-and-swap keeps its pointer as it was`() throws {
    for start in Scenario.Start.allCases {
      var scenario = Scenario()
      (scenario.start, scenario.movesPointer) = (start, false)
      var exploration = try ExhaustiveExploration(scenario)
      #expect(exploration.run().breach == nil)
      scenario.subject = .brokenProtocol(.pointerBeforeRevision)
      var broken = try ExhaustiveExploration(scenario)
      #expect(broken.run().breach?.oracle == "pointer without compare-and-swap")
    }
  }

  @Test func `a schedule survives its text`() throws {
    for seed in UInt64(1)...200 {
      let schedule = try Campaign.schedule(of: seed, .brokenStore(.eventualReads))
      let again = try Schedule(schedule.text)
      #expect(again.steps == schedule.steps)
      #expect(again.text == schedule.text)
    }
  }

  @Test(arguments: [
    "", "u1 u2", "start=never : u1", "writers=9 : u1", "wings=2 : u1", ": x1", ": u0", ": u1/never",
    ": m", ": z", "subject=perfect : u1",
  ])
  func `a text that is not a schedule is refused`(text: String) {
    #expect(throws: InvalidText.self) { try Schedule(text) }
  }
}

extension Step {
  fileprivate var isInterference: Bool { if case .interfere = self { true } else { false } }
}
