import HealthModel
import StoreTesting
import Testing

@testable import Race

/// Cutting a history to what shows a finding: small, and never wrong by what was cut away.
@Suite(.unit) struct CounterexampleTests {
  private let date: CalendarDate
  private let ids: [RevisionID]

  init() throws {
    date = try #require(CalendarDate("2026-03-10"))
    ids = (0..<6).map {
      RevisionID(at: Timestamp(secondsSince1970: 1_773_144_000 + $0), entropy: 9)
    }
  }

  /// Writes and reads of up to six values by several clients, at random.
  private func randomHistory(_ chance: inout SplitMix64) -> RaceHistory {
    var history = RaceHistory(date: date)
    for _ in 0..<(4 + chance.below(12)) {
      let from = chance.below(60)
      let to = from + chance.below(20)
      let id = ids[chance.below(ids.count)]
      let isRead = chance.below(2) == 0
      history.events.append(
        RaceHistory.Event(
          client: "c\(chance.below(3))", from: from,
          to: !isRead && chance.below(5) == 0 ? nil : to,
          observation: isRead
            ? .read(chance.below(6) == 0 ? nil : id)
            : .write(id, digest: nil, requests: nil, movesPointer: true)))
    }
    return history
  }

  @Test func `a cut history is still refuted, closed under what its reads need, and minimal`() {
    var chance = SplitMix64(seed: 77)
    var cuts = 0
    for _ in 0..<3000 {
      let history = randomHistory(&chance)
      guard let finding = history.linearizability() else { continue }
      cuts += 1
      let cut = history.counterexample(to: finding)
      #expect(cut.linearizability() != nil)
      #expect(Set(cut.events).isSubset(of: Set(history.events)))
      let read = Set(cut.events.compactMap(readValue))
      // Every write of a value that is read is still there: none was cut to make the read wrong.
      let needed = history.events.filter { writtenValue($0).map(read.contains) ?? false }
      #expect(Set(needed).isSubset(of: Set(cut.events)))
      for index in cut.events.indices {
        var less = cut
        let event = less.events.remove(at: index)
        if let value = writtenValue(event), read.contains(value) { continue }
        #expect(less.linearizability() == nil, "\(event) was not needed in \(cut.events)")
      }
    }
    #expect(cuts > 500)
  }

  @Test func `other findings are cut to their own events, in the order of time`() {
    var history = RaceHistory(date: date)
    func look(_ from: Int, _ id: RevisionID) -> RaceHistory.Event {
      RaceHistory.Event(client: "p", from: from, to: from + 1, observation: .pointer(.names(id)))
    }
    history.events = [look(9, ids[0]), look(1, ids[1]), look(5, ids[2]), look(3, ids[1])]
    let finding = history.findings()[0]
    #expect(finding.oracle == .pointerMonotone)
    let cut = history.counterexample(to: finding)
    #expect(cut.events == [look(5, ids[2]), look(9, ids[0])])
    #expect(cut.findings().map(\.oracle) == [.pointerMonotone])
  }

  private func readValue(_ event: RaceHistory.Event) -> RevisionID? {
    if case .read(let id) = event.observation { id } else { nil }
  }

  private func writtenValue(_ event: RaceHistory.Event) -> RevisionID? {
    if case .write(let id, _, _, _) = event.observation { id } else { nil }
  }
}
