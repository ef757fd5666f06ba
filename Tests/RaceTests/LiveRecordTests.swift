import HealthModel
import Testing

@testable import Race

/// Journals of killed processes: what they come to, and where a restart goes on.
@Suite(.unit) struct LiveRecordTests {
  private let date: CalendarDate
  private let ids: [RevisionID]

  init() throws {
    date = try #require(CalendarDate("2026-03-10"))
    ids = (0..<3).map {
      RevisionID(at: Timestamp(secondsSince1970: 1_773_144_000 + $0), entropy: 9)
    }
  }

  private func record(_ entries: [JournalEntry], tail: String = "") -> LiveRecord {
    var record = LiveRecord(date, movesPointer: true)
    record.add(journal: entries.flatMap(\.line) + Array(tail.utf8))
    return record
  }

  private var entries: [JournalEntry] {
    [
      .began(client: 3, number: 0, at: 10),
      .sent(client: 3, id: ids[0].rawValue, digest: "ab", at: 20),
      .ended(client: 3, number: 0, id: ids[0].rawValue, outcome: "published", requests: 5, at: 30),
      .began(client: 3, number: 1, at: 40),
      .sent(client: 3, id: ids[1].rawValue, digest: "cd", at: 50),
      .failed(client: 3, number: 1, requests: 7, message: "no answer came"),
      .gaveUp(client: 3, number: 1), .unanswered(message: "mute"), .struck(["409": 2]),
      .saw(
        RaceHistory.Event(client: "reader-1", from: 5, to: 6, observation: .read(nil))),
    ]
  }

  @Test func `every entry survives its line`() {
    for entry in entries {
      #expect(JournalEntry(entry.line.dropLast()[...]) == entry)
    }
    #expect(JournalEntry(Array("{\"began\":1".utf8)[...]) == nil)
    #expect(JournalEntry(Array("{}".utf8)[...]) == nil)
  }

  @Test func `a write begun and never ended stays open, and its publish is gone on with`() {
    let killed = record(Array(entries.prefix(5)))
    #expect(killed.progress[3] == LiveProgress(next: 1, isBegun: true))
    #expect(killed.acknowledged == [ids[0]])
    #expect(
      killed.history.events == [
        RaceHistory.Event(
          client: "writer-4", from: 10, to: 30,
          observation: .said(["steps": 3_000_000])),
        RaceHistory.Event(
          client: "writer-4", from: 20, to: 30,
          observation: .write(ids[0], digest: "ab", requests: 5, movesPointer: true)),
        RaceHistory.Event(
          client: "writer-4", from: 40, to: nil,
          observation: .said(["steps": 3_000_001])),
        RaceHistory.Event(
          client: "writer-4", from: 50, to: nil,
          observation: .write(ids[1], digest: "cd", requests: nil, movesPointer: true)),
      ])
  }

  @Test func `what is sent again with other bytes is not lost, and bytes nobody sent are found`() {
    let sentAgain =
      Array(entries.prefix(6)) + [
        .began(client: 3, number: 1, at: 70),
        .sent(client: 3, id: ids[1].rawValue, digest: "ef", at: 80),
        .ended(
          client: 3, number: 1, id: ids[1].rawValue, outcome: "published", requests: 5, at: 90),
      ]
    for (digest, isSound) in [("cd", true), ("ef", true), ("00", false)] {
      let read = RaceHistory.Event(
        client: "check", from: 95, to: 99, observation: .revision(ids[1], digest: digest))
      let found = record(sentAgain + [.saw(read)]).history.findings()
      #expect(found.contains { $0.oracle == .revisionLost } == !isSound, "\(digest): \(found)")
    }
  }

  @Test func `what was cut short by a kill counts as not begun`() {
    let whole = record(Array(entries.prefix(3)))
    let torn = record(Array(entries.prefix(3)), tail: #"{"at":40,"began":1,"cli"#)
    #expect(torn.history == whole.history)
    #expect(torn.progress == [3: LiveProgress(next: 1)])
  }

  @Test func `a restart that finds its revision unchanged ends the write that was begun before`() {
    let restarted =
      Array(entries.prefix(5)) + [
        .began(client: 3, number: 1, at: 70),
        .ended(
          client: 3, number: 1, id: ids[1].rawValue, outcome: "unchanged", requests: 3, at: 90),
      ]
    let event = record(restarted).history.events[3]
    #expect(record(restarted).history.events[2].from == 40)
    #expect(record(restarted).history.events[2].to == 90)
    #expect(event.from == 50 && event.to == 90)
    #expect(
      event.observation == .write(ids[1], digest: "cd", requests: 3, movesPointer: true))
    #expect(record(restarted).progress[3] == LiveProgress(next: 2))
  }

  @Test func `requests of a publish that failed are held against the bound too`() {
    var costly = entries
    costly[5] = .failed(client: 3, number: 1, requests: 5000, message: "")
    #expect(record(costly).history.findings().map(\.oracle) == [.boundedAttempts])
    let tally = record(entries).tally
    #expect(tally.failures == 1 && tally.givenUp == 1 && tally.unansweredReads == 1)
    #expect(tally.faults == ["409": 2] && tally.errors["no answer came"] == 1)
  }

  @Test(arguments: ClockSkew.allCases)
  func `clocks are wrong in their own way`(skew: ClockSkew) {
    let noon = Timestamp(secondsSince1970: 1_773_144_000)
    let clock = SkewedClock(skew) { noon }
    let first = clock.now().secondsSince1970 - noon.secondsSince1970
    let second = clock.now().secondsSince1970 - noon.secondsSince1970
    let expected =
      switch skew {
      case .none: (0, 0)
      case .quarterAhead: (900, 900)
      case .quarterBehind: (-900, -900)
      case .tenYearsAhead: (315_569_520, 315_569_520)
      case .tenYearsBehind: (-315_569_520, -315_569_520)
      case .backwards: (0, -1)
      }
    #expect((first, second) == expected)
  }
}
