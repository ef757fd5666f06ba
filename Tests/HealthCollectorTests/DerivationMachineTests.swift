import HealthModel
import Testing

@testable import HealthCollector
@testable import HealthLedger

/// Two recomputes of one day, a batch that arrives meanwhile, and every order of their steps (R49).
@Suite(.unit) struct DerivationMachineTests {
  /// What is stored, and what each machine does next.
  private struct World: Hashable {
    var batches: Set<String>
    /// The batches of which each revision was made, in the order of their ids.
    var revisions: [Set<String>]
    var basis: DerivationBasis?
    var machines: [DerivationMachine]
    var actions: [DerivationMachine.Action]
    var late: String?

    var isDone: Bool {
      late == nil
        && actions.allSatisfy { action in
          if case .finish = action { return true }
          return false
        }
    }
  }

  private static let day = CalendarDate("2026-03-02").flatMap {
    try? ReportingDay(date: $0, timeZoneName: "UTC")
  }

  private static func id(_ index: Int) -> RevisionID {
    RevisionID(at: Timestamp(secondsSince1970: 1_772_000_000 + index), entropy: 1)
  }

  private static func draft(_ batches: Set<String>) throws -> DayDraft {
    DayDraft(
      day: try #require(day), collector: .derivation, source: .streams,
      readings: [.steps: .value(Double(batches.count))])
  }

  /// What follows if a machine's action is carried out. A draft's steps say of which batches it is.
  private func step(_ world: World, _ index: Int, flaw: Flaw?) throws -> World? {
    var world = world
    let event: DerivationMachine.Event
    switch world.actions[index] {
    case .finish, .stop: return nil
    case .readBasis: event = .basis(world.basis)
    case .listBatches: event = .batches(world.batches, zones: "")
    case .listRevisions:
      event = .revisions(Set(world.revisions.indices.map(Self.id)))
    case .derive(let inputs):
      guard !inputs.batches.isEmpty else {
        event = .derived(.nothing)
        break
      }
      event = .derived(.draft(try Self.draft(inputs.batches)))
    case .publish(let draft):
      let made = Set(["a", "b"].prefix(Int(draft.readings[.steps]?.number ?? 0)))
      if let last = world.revisions.last, last == made {
        event = .published(.unchanged(Self.id(world.revisions.count - 1)))
      } else {
        world.revisions.append(made)
        let id = Self.id(world.revisions.count - 1)
        if flaw == .noSecondPass {
          world.actions[index] = .finish(.settled(id, wrote: [id]))
          return world
        }
        event = .published(.published(id))
      }
    case .createCover: event = .createdCover
    case .writeBasis(let basis):
      world.basis = basis
      event = .wroteBasis
    }
    world.actions[index] = world.machines[index].handle(event)
    return world
  }

  private enum Flaw { case noSecondPass }

  /// Explores every order. Returns the worlds at rest.
  private func rests(flaw: Flaw? = nil) throws -> (atRest: Set<World>, seen: Int) {
    var machines = [DerivationMachine(isCovered: true), DerivationMachine(isCovered: true)]
    let actions = machines.indices.map { machines[$0].start() }
    let first = World(
      batches: ["a"], revisions: [], machines: machines,
      actions: [actions[0], .finish(.nothing)], late: "b")
    var (seen, rest): (Set<World>, [World]) = ([first], [first])
    var atRest: Set<World> = []
    while let world = rest.popLast() {
      var nexts: [World] = []
      for index in world.machines.indices {
        if let next = try step(world, index, flaw: flaw) { nexts.append(next) }
      }
      if world.late != nil {
        // The batch is stored, and whoever stored it recomputes.
        var next = world
        next.batches.insert("b")
        next.late = nil
        next.actions[1] = actions[1]
        nexts.append(next)
      }
      if world.isDone { atRest.insert(world) }
      for next in nexts where seen.insert(next).inserted { rest.append(next) }
    }
    return (atRest, seen.count)
  }

  @Test func `what others stored meanwhile, equal to one's own, is looked at before the end (R49)`()
    throws
  {
    var machine = DerivationMachine(isCovered: true)
    #expect(machine.start() == .readBasis)
    #expect(machine.handle(.basis(nil)) == .listBatches)
    #expect(machine.handle(.batches(["a"], zones: "")) == .listRevisions)
    _ = machine.handle(.revisions([]))
    let draft = try Self.draft(["a"])
    #expect(machine.handle(.derived(.draft(draft))) == .publish(draft))
    // It was not there when the revisions were listed: perhaps it was made of other batches.
    try #require(machine.handle(.published(.unchanged(Self.id(0)))) == .listBatches)
    #expect(machine.handle(.batches(["a", "b"], zones: "")) == .listRevisions)
    let inputs = DerivationInputs(batches: ["a", "b"], zones: "", revisions: [Self.id(0)])
    #expect(machine.handle(.revisions([Self.id(0)])) == .derive(inputs))
  }

  @Test func `at rest the newest revision has all batches, in every order (R49)`() throws {
    let (atRest, seen) = try rests()
    #expect(seen > 100)
    for world in atRest {
      #expect(world.revisions.last == ["a", "b"])
      #expect(world.revisions.count <= 4)
      // One that is older than the newest revision is true, and costs a recompute.
      #expect(world.basis != nil)
    }
  }

  @Test func `without the second pass an order is found that loses a batch (R49)`() throws {
    let (atRest, _) = try rests(flaw: .noSecondPass)
    #expect(atRest.contains { $0.revisions.last != ["a", "b"] })
  }

  @Test func `a marker of its own covers a recompute that publishes (R49)`()
    throws
  {
    var machine = DerivationMachine(isCovered: false)
    _ = machine.start()
    _ = machine.handle(.basis(nil))
    _ = machine.handle(.batches(["a"], zones: ""))
    #expect(
      machine.handle(.revisions([]))
        == .derive(DerivationInputs(batches: ["a"], zones: "", revisions: [])))
    let day = try ReportingDay(
      date: try #require(CalendarDate("2026-03-02")), timeZoneName: "UTC")
    let draft = DayDraft(
      day: day, collector: .derivation, source: .streams, readings: [.steps: .value(1)],
      capturedAt: Timestamp(secondsSince1970: 1_800_000_000))
    #expect(machine.handle(.derived(.draft(draft))) == .createCover(day))
    #expect(machine.handle(.createdCover) == .publish(draft))
    #expect(machine.handle(.published(.published(Self.id(0)))) == .listBatches)
    _ = machine.handle(.batches(["a", "b"], zones: ""))
    // It is created once, however often the day is published.
    let again = DerivationInputs(batches: ["a", "b"], zones: "", revisions: [Self.id(0)])
    #expect(machine.handle(.revisions([Self.id(0)])) == .derive(again))
    #expect(machine.handle(.derived(.draft(draft))) == .publish(draft))
  }

  @Test func `a basis saves reading the batches, until anything changes (R49)`() throws {
    let inputs = DerivationInputs(batches: ["a"], zones: "", revisions: [Self.id(0)])
    let basis = DerivationBasis(Self.id(0), rules: 1, of: inputs)
    #expect(DerivationBasis(basis.encoded) == basis)
    func outcome(_ batches: Set<String>, _ revisions: Set<RevisionID>, rules: Int = 1)
      -> DerivationMachine.Action
    {
      var machine = DerivationMachine(rules: rules, isCovered: true)
      _ = machine.start()
      _ = machine.handle(.basis(basis))
      if rules < basis.rules { return .readBasis }
      _ = machine.handle(.batches(batches, zones: ""))
      return machine.handle(.revisions(revisions))
    }
    #expect(outcome(["a"], [Self.id(0)]) == .finish(.settled(Self.id(0), wrote: [])))
    for (batches, revisions) in [
      (["a", "b"], [Self.id(0)]), (["a"], [Self.id(0), Self.id(1)]), (["a"], []),
    ] as [(Set<String>, Set<RevisionID>)] {
      #expect(
        outcome(batches, revisions)
          == .derive(DerivationInputs(batches: batches, zones: "", revisions: revisions)))
    }
    #expect(outcome(["a"], [Self.id(0)], rules: 2) == .derive(inputs))
    // A batch that it was made from is gone. Newer batches and revisions don't change that.
    #expect(outcome([], [Self.id(0)]) == .stop(lostBatches: 1))
    #expect(outcome(["b"], [Self.id(0), Self.id(1)]) == .stop(lostBatches: 1))
    #expect(outcome(["b"], [Self.id(0)], rules: 2) == .stop(lostBatches: 1))
  }

  @Test func `a basis counts the batches that a later listing lacks (R49)`() throws {
    var random = SystemRandomNumberGenerator()
    for count in [0, 1, 2, 300, 20_000] {
      let ids = Set(
        (0..<count).map { _ in
          let text = String(UInt64.random(in: 0..<0x1000_0000, using: &random), radix: 16)
          return String(repeating: "0", count: 7 - text.count) + text
        })
      func inputs(_ ids: Set<String>) -> DerivationInputs {
        DerivationInputs(batches: ids, zones: "zones UTC", revisions: [])
      }
      let basis = try #require(
        DerivationBasis(DerivationBasis(Self.id(0), rules: 1, of: inputs(ids)).encoded))
      #expect(basis == DerivationBasis(Self.id(0), rules: 1, of: inputs(ids)))
      #expect(basis.encoded.count <= DerivationBasis.maximumBytes)
      #expect(basis.lost(in: inputs(ids)) == 0)
      #expect(basis.lost(in: inputs(ids.union(["zzzz1", "zzzz2"]))) == 0)
      let lost = Set(ids.prefix(3))
      #expect(basis.lost(in: inputs(ids.subtracting(lost).union(["zzzz1"]))) == lost.count)
    }
  }

  @Test func `a basis without the names of its batches holds, and gets them (R49)`() throws {
    let inputs = DerivationInputs(batches: ["a"], zones: "", revisions: [Self.id(0)])
    let whole = DerivationBasis(Self.id(0), rules: 1, of: inputs)
    let old = try #require(
      DerivationBasis(
        Array(
          String(decoding: whole.encoded, as: UTF8.self)
            .replacing(#""batches":"a","#, with: "").utf8)))
    #expect(old != whole)
    var machine = DerivationMachine(rules: 1, isCovered: true)
    _ = machine.start()
    _ = machine.handle(.basis(old))
    _ = machine.handle(.batches(["a"], zones: ""))
    #expect(machine.handle(.revisions([Self.id(0)])) == .writeBasis(whole))
    #expect(machine.handle(.wroteBasis) == .finish(.settled(Self.id(0), wrote: [])))
  }

  @Test func `markers go only when they are old and all their days are settled (R49)`() throws {
    let (first, second) = (
      try #require(CalendarDate("2026-03-02")), try #require(CalendarDate("2026-03-03"))
    )
    var machine = SweepMachine()
    #expect(machine.start() == .listMarkers)
    #expect(
      machine.handle(
        .markers([
          .init(key: "old", dates: [first], isOld: true),
          .init(key: "young", dates: [first], isOld: false),
          .init(key: "waiting", dates: [first, second], isOld: true),
        ])) == .recompute(first))
    #expect(machine.handle(.recomputed(isSettled: true)) == .recompute(second))
    #expect(machine.handle(.recomputed(isSettled: false)) == .deleteMarker("old"))
    #expect(machine.handle(.deletedMarker) == .finish(deleted: 1, kept: 2))
  }
}
