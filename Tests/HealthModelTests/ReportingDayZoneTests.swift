import Foundation
import HealthModel
import TestSupport
import Testing

/// Every zone of the database against Python's zoneinfo, an independent implementation, around
/// every change of offset.
@Suite(.process) struct ReportingDayZoneTests {
  @Test func `R4: days of all zones are those of zoneinfo over the same files`()
    async throws
  {
    let peer = try await Peer.shared.value
    let differing = peer.differing(from: TimeZoneDatabase(.folder(peer.folder)))
    #expect(differing.isEmpty)
    #expect(Set(peer.days.map(\.zone)).count > 590)
    #expect(peer.days.count > TestDepth.full(150_000, usual: 8000))
    #expect(peer.days.count { $0.answer == "skipped" } >= TestDepth.full(4, usual: 1))
  }

  @Test func `R4: offsets in all zones of this machine are zoneinfo's`()
    async throws
  {
    let output = try await PeerPython.run(
      "model_zones.py",
      arguments: ["offsets"] + TestDepth.full(["1970", "2100"], usual: ["2010", "2025"]))
    var zones: Set<Substring> = []
    var differing: [Substring] = []
    var count = 0
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: " ")
      try #require(fields.count == 3)
      let moment = Timestamp(secondsSince1970: try #require(Int(fields[1])))
      let offset = try ReportingDay.offsetSeconds(at: moment, timeZoneName: String(fields[0]))
      if String(offset) != fields[2] { differing.append(line) }
      zones.insert(fields[0])
      count += 1
    }
    #expect(differing.isEmpty, "\(differing.prefix(20))")
    #expect(zones.count > 400 && count > TestDepth.full(100_000, usual: 20_000))
  }

  #if canImport(Darwin)
    @Test func `R4: Foundation's rules give zoneinfo's days, but where their releases differ`()
      async throws
    {
      let peer = try await Peer.shared.value
      let zones = Set(
        peer.differing(from: .current) { (1995...2030).contains($0.date.year) }.map(\.zone))
      // A release touches a few countries; a fault of ours would touch most zones.
      #expect(zones.count < 40, "\(peer.version): \(zones)")
    }
  #endif
}

/// What the peer says of each day.
private struct Peer: Sendable {
  struct Day: Hashable, Sendable {
    let zone: String
    let date: CalendarDate
    let answer: String
  }

  let version: String
  let folder: String
  let days: [Day]

  /// Asked once for all tests: it takes the peer seconds.
  static let shared = Task {
    try await days(
      from: TestDepth.full(1860, usual: 2010), to: TestDepth.full(2037, usual: 2025))
  }

  private static func days(from first: Int, to last: Int) async throws -> Peer {
    let output = try await PeerPython.run(
      "model_zones.py", arguments: ["days", "\(first)", "\(last)"])
    let lines = output.split(separator: UInt8(ascii: "\n"))
    let head = String(decoding: try #require(lines.first), as: UTF8.self).split(separator: " ")
    try #require(head.count == 2)
    let days = try lines.dropFirst().map { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        .map { String(decoding: $0, as: UTF8.self) }
      return Day(
        zone: fields[0], date: try #require(CalendarDate(fields[1])), answer: fields[2])
    }
    return Peer(version: String(head[0]), folder: String(head[1]), days: days)
  }

  /// The days of which the database says something else.
  func differing(
    from database: TimeZoneDatabase, among isAsked: (Day) -> Bool = { _ in true }
  ) -> [Day] {
    days.filter { day in
      guard isAsked(day) else { return false }
      do throws(ReportingDay.Failure) {
        let ours = try ReportingDay(date: day.date, timeZoneName: day.zone, in: database)
        return day.answer
          != "\(ours.start.timestamp.secondsSince1970) \(ours.end.timestamp.secondsSince1970) "
          + "\(ours.start.offsetSeconds) \(ours.end.offsetSeconds)"
      } catch {
        return error != .skippedDate(day.date, zone: day.zone) || day.answer != "skipped"
      }
    }
  }
}
