import HealthModel
import Testing

@testable import Race

/// Recorded histories: their file, and each oracle with a history that only it refutes.
@Suite(.unit) struct HistoryTests {
  private let date: CalendarDate
  private let ids: [RevisionID]

  init() throws {
    date = try #require(CalendarDate("2026-03-10"))
    ids = (0..<4).map {
      RevisionID(at: Timestamp(secondsSince1970: 1_773_144_000 + $0), entropy: 9)
    }
  }

  private func event(
    _ from: Int, _ to: Int?, _ observation: RaceHistory.Observation
  ) -> RaceHistory.Event {
    RaceHistory.Event(client: "c", from: from, to: to, observation: observation)
  }

  private func write(_ id: RevisionID, digest: String? = nil, requests: Int = 4)
    -> RaceHistory.Observation
  {
    .write(id, digest: digest, requests: requests, movesPointer: true)
  }

  private func oracles(_ events: RaceHistory.Event...) -> [HistoryFinding.Oracle] {
    RaceHistory(date: date, events: events).findings().map(\.oracle)
  }

  @Test func `a history that keeps every promise has no finding`() {
    #expect(
      oracles(
        event(0, 9, write(ids[1], digest: "a")), event(1, 2, .pointer(.absent)),
        event(3, 4, .read(ids[1])), event(10, 11, .pointer(.names(ids[1]))),
        event(12, 13, .revision(ids[1], digest: "a")), event(20, nil, write(ids[2])),
        event(30, 31, .read(ids[1]))
      ).isEmpty)
  }

  @Test func `each oracle finds what it is for`() {
    let published = event(0, 1, write(ids[1], digest: "a"))
    #expect(
      oracles(published, event(2, 3, .read(nil)))
        == [.acknowledgedUnread, .session, .linearizability])
    #expect(
      oracles(event(0, 1, .pointer(.names(ids[2]))), event(2, 3, .pointer(.names(ids[1]))))
        == [.pointerMonotone])
    #expect(
      oracles(event(0, 1, .pointer(.names(ids[2]))), event(2, 3, .pointer(.absent)))
        == [.pointerMonotone])
    #expect(oracles(published, event(2, 3, .pointer(.names(ids[0])))) == [.pointerBehind])
    #expect(
      oracles(event(0, 1, .pointer(.names(ids[2]))), event(2, 3, .revision(ids[2], digest: nil)))
        == [.pointerDangling])
    #expect(oracles(published, event(2, 3, .revision(ids[1], digest: nil))) == [.revisionLost])
    #expect(oracles(published, event(2, 3, .revision(ids[1], digest: "b"))) == [.revisionLost])
    #expect(oracles(event(0, 1, write(ids[1], requests: 129))) == [.boundedAttempts])
  }

  @Test func `R20: a number that is less than one that was acknowledged is found at rest`()
    throws
  {
    func said(_ from: Int, _ to: Int?, _ steps: Double) -> RaceHistory.Event {
      event(from, to, .said(["steps": steps]))
    }
    let shown = event(20, 21, .shown(["steps": 1]))
    #expect(oracles(said(0, 1, 1), said(2, 3, 2), shown) == [.wordLost])
    #expect(oracles(said(0, 5, 1), said(2, 3, 2), shown) == [.wordLost], "whatever their order")
    #expect(oracles(said(2, 3, 2), shown) == [.wordLost], "nobody has said what is shown")
    #expect(oracles(said(0, 1, 1), event(20, 21, .shown([:]))) == [.wordLost])
    // The greatest of all sources; never acknowledged; of another metric; after the look.
    #expect(oracles(said(0, 1, 1), said(2, 3, 0.5), shown).isEmpty)
    #expect(oracles(said(0, 1, 1), said(2, nil, 2), shown).isEmpty)
    #expect(oracles(said(0, nil, 1), said(2, 3, 1), shown).isEmpty)
    #expect(
      oracles(
        said(0, 1, 1), event(2, 3, .said(["energy": 1])),
        event(
          20, 21, .shown(["steps": 1, "energy": 1]))
      ).isEmpty)
    #expect(oracles(said(0, 1, 1), shown, said(22, 23, 2)).isEmpty)

    let history = RaceHistory(
      date: date, events: [said(0, 1, 1), said(1, 2, 5), said(2, 3, 2), said(4, nil, 3), shown])
    #expect(try HistoryFile.decode(HistoryFile.encode(history)) == history)
    let finding = try #require(history.findings().first)
    let cut = history.counterexample(to: finding)
    #expect(cut.events.count == 3 && cut.findings().map(\.oracle) == [.wordLost])
  }

  @Test func `a client that reads less than it has read before is found, others may lag behind it`()
  {
    func read(_ client: String, _ from: Int, _ id: RevisionID?) -> RaceHistory.Event {
      RaceHistory.Event(client: client, from: from, to: from + 1, observation: .read(id))
    }
    let open = event(0, nil, write(ids[1]))
    #expect(
      oracles(open, read("a", 2, ids[1]), read("a", 4, nil)) == [.session, .linearizability])
    // Not a session's matter, but no order explains it either.
    #expect(oracles(open, read("a", 2, ids[1]), read("b", 4, nil)) == [.linearizability])
    #expect(oracles(open, read("a", 2, nil), read("a", 4, ids[1])).isEmpty)
  }

  @Test func `a file of several histories is read one by one`() throws {
    var first = RaceHistory(date: date)
    first.events = [event(0, 1, .read(nil))]
    var second = first
    second.date = try #require(date.adding(days: 1))
    second.isInNanoseconds = true
    let bytes = HistoryFile.encode(first) + HistoryFile.encode(second)
    var reader = HistoryReader()
    var found: [RaceHistory] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if let history = try reader.take(line) { found.append(history) }
    }
    found.append(try reader.finish())
    #expect(found == [first, second])
    #expect(throws: InvalidText.self) { try HistoryFile.decode(bytes) }
  }

  @Test func `looks at the same time may differ`() {
    #expect(
      oracles(event(0, 5, .pointer(.names(ids[2]))), event(2, 3, .pointer(.names(ids[1])))).isEmpty)
  }

  @Test func `a history survives its file`() throws {
    var history = RaceHistory(date: date, maximumRequests: 40, dangling: ids[3])
    history.events = [
      event(0, 9, write(ids[1], digest: "a")), event(1, nil, write(ids[2])),
      event(1, 2, .pointer(.absent)), event(1, 2, .pointer(.corrupt)),
      event(3, 4, .read(nil)), event(3, 4, .read(ids[1])),
      event(3, 4, .pointer(.names(ids[1]))), event(5, 6, .revision(ids[1], digest: "a")),
      event(5, 6, .revision(ids[2], digest: nil)),
      event(7, 8, .write(ids[3], digest: nil, requests: nil, movesPointer: false)),
    ]
    #expect(try HistoryFile.decode(HistoryFile.encode(history)) == history)
  }

  @Test(arguments: [
    ("", 1, "empty"), ("{}", 1, "format"), ("[1]", 1, "not a JSON object"), ("{", 1, "not JSON"),
    (#"{"format":"other","date":"2026-03-10"}"#, 1, "not \"other\""),
    (#"{"format":"s3health-race-1","date":"2026-02-30"}"#, 1, "YYYY-MM-DD"),
    (Self.header + "\n" + #"{"op":"read","client":"c","from":1,"to":2}"#, 2, "no \"value\""),
    (Self.header + "\n\n" + #"{"op":"sing","client":"c","from":1,"to":2}"#, 3, "\"op\" must be"),
    (Self.header + "\n" + #"{"op":"read","client":"c","from":1,"value":null}"#, 2, "open"),
    (Self.header + "\n" + #"{"op":"read","client":"c","from":3,"to":2,"value":null}"#, 2, "before"),
    (
      Self.header + "\n" + #"{"op":"read","client":"c","from":1.5,"to":2,"value":null}"#, 2, "whole"
    ),
    (Self.header + "\n" + #"{"op":"read","client":"c","from":1,"to":2,"value":"x"}"#, 2, "R6"),
  ])
  func `an unreadable history is refused with the line and the reason`(
    text: String, line: Int, reason: String
  ) {
    let failure = #expect(throws: InvalidText.self) {
      try HistoryFile.decode(Array(text.utf8))
    }
    #expect(failure?.message.hasPrefix("line \(line) is not a line of a history: ") == true)
    #expect(failure?.message.contains(reason) == true, "\(String(describing: failure))")
  }

  static let header = #"{"format":"s3health-race-1","date":"2026-03-10"}"#
}
