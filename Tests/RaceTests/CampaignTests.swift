import HealthModel
import TestSupport
import Testing

@testable import Race

/// Random runs: the sound protocol survives them, every broken one is caught, and seeds are exact.
@Suite(.unit, .slow) struct CampaignTests {
  @Test func `the ledger's machines keep every promise in 3,000 runs`() throws {
    var race = ModelRace()
    race.runs = 3000
    let report = race.race(try LedgerField(), exploring: [])
    #expect(report.failure == nil, "\(String(describing: report.failure))")
    #expect(report.runs == 3000)
    // Each fault, crash and interference among them.
    #expect(report.unfired.isEmpty && report.faults.values.reduce(0, +) > 2000)
  }

  @Test(arguments: LedgerFlaw.allCases)
  func `every broken protocol and store is caught, and the sound one is not`(
    flaw: LedgerFlaw
  ) throws {
    let field = try LedgerField(flaw)
    let caught = try #require(
      (1...ModelRace.mostControlRuns).lazy.map { field.run(of: UInt64($0)) }
        .first { $0.breach != nil })
    let shortest = caught.shrunk
    #expect(shortest.breach?.oracle == caught.breach?.oracle)
    #expect(shortest.steps.count <= caught.steps.count)
    // The same steps break it again, and on the sound protocol and store they break nothing.
    #expect(RandomRun(of: shortest.start, shortest.steps).breach == shortest.breach)
    var sound = shortest.start.scenario
    sound.flaw = nil
    #expect(
      RandomRun(of: try LedgerWorld(sound, isReduced: false), shortest.steps).breach == nil)
  }

  @Test func `a seed always gives the same runs`() throws {
    func race(_ seed: UInt64) throws -> RaceReport {
      var race = ModelRace()
      (race.seed, race.runs) = (seed, 300)
      return race.race(try LedgerField(), exploring: [])
    }
    #expect(try race(7).digest == race(7).digest)
    #expect(try race(7).digest != race(8).digest)
  }

  @Test func `a run's history survives its file and all its oracles`() throws {
    let field = try LedgerField()
    for seed in UInt64(1)...60 {
      let run = field.run(of: seed)
      let recorded = try #require(run.world.history)
      let history = try HistoryFile.decode(HistoryFile.encode(recorded))
      #expect(history == recorded)
      guard !run.steps.contains(where: \.isInterference) else { continue }
      #expect(history.findings() == [])
    }
  }

  /// Whatever was played before it, and in whatever order the machines' states were met.
  @Test func `the same seed gives a byte-identical log`() throws {
    let field = try LedgerField()
    for other in UInt64(300)..<340 { _ = field.run(of: other) }
    for seed in [UInt64(3), 17, 260] {
      let alone = try LedgerField().run(of: seed)
      let run = field.run(of: seed)
      #expect(run.steps == alone.steps && run.lines == alone.lines)
      let (log, other) = (try #require(run.world.history), try #require(alone.world.history))
      #expect(HistoryFile.encode(log) == HistoryFile.encode(other))
    }
  }

  /// What `s3race check` judges on recorded races it judges on the model's as well.
  @Test func `a history of the model has digests, requests and looks at revisions`() throws {
    var seen: Set<String> = []
    let field = try LedgerField()
    for seed in UInt64(1)...40 {
      for event in try #require(field.run(of: seed).world.history).events {
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
    var scenario = Scenario()
    (scenario.writers, scenario.readers, scenario.crashes) = (3, 0, 0)
    (scenario.clocks, scenario.hasTwins) = (.decade, true)
    let steps = "u1 u3 u2 u2 u1 u2 u3 u3 u3 k3 u1 s3 u3 u3 u3 u3 u3 u3".split(separator: " ")
      .map { word -> LedgerWorld.Step in
        let index = Int(word.utf8.last ?? 0x31) - 0x31
        return switch word.first {
        case "k": .crash(index, leavesWrite: false)
        case "s": .restart(index)
        default: .advance(index, .answered)
        }
      }
    let run = RandomRun(of: try LedgerWorld(scenario, isReduced: false), steps)
    #expect(run.breach == nil)
    #expect(run.steps.starts(with: steps))
    #expect(run.lines[steps.count - 1].hasPrefix("writer 3  PUT revision"))
  }

  /// R24: nobody writes the pointer, and readers list.
  @Test func `a store without compare-and-swap keeps its pointer as it was`() throws {
    for start in Scenario.Start.allCases {
      var scenario = Scenario()
      (scenario.start, scenario.movesPointer) = (start, false)
      #expect(try Exploration(of: LedgerWorld(scenario)).breach == nil)
      scenario.flaw = .pointerBeforeRevision
      #expect(
        try Exploration(of: LedgerWorld(scenario)).breach?.oracle
          == LedgerOracle.pointerUnproven.rawValue)
    }
  }
}

extension LedgerWorld.Step {
  fileprivate var isInterference: Bool { if case .interfere = self { true } else { false } }
}
