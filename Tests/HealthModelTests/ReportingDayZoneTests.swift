import Foundation
import HealthModel
import TestSupport
import Testing

/// Every zone of the database against Python's zoneinfo, an independent implementation.
@Suite struct ReportingDayZoneTests {
  @Test func `R4: days around every change of offset since 1970 are those of zoneinfo`()
    async throws
  {
    let output = try await PeerPython.run("model_zone_days.py", arguments: ["1970", "2037"])
    let lines = output.split(separator: UInt8(ascii: "\n"))
    var differing: [String: [String]] = [:]
    var compared = 0
    var skipped = 0
    for line in lines.dropFirst() {
      let fields = line.split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
      }
      let date = try #require(CalendarDate(fields[1]))
      let ours = Self.line(date, fields[0])
      compared += 1
      if fields[2] == "skipped" { skipped += 1 }
      if ours != fields[2...].joined(separator: " ") {
        differing[fields[0], default: []].append("\(fields[1]) ours \(ours) theirs \(fields[2...])")
      }
    }
  }

  private static func line(_ date: CalendarDate, _ zone: String) -> String {
    do throws(ReportingDay.Failure) {
      let day = try ReportingDay(date: date, timeZoneName: zone)
      return "\(day.start.timestamp.secondsSince1970) \(day.end.timestamp.secondsSince1970) "
        + "\(day.start.offsetSeconds) \(day.end.offsetSeconds)"
    } catch {
      switch error {
      case .skippedDate: return "skipped"
      case .unknownTimeZone: return "unknown"
      }
    }
  }
}
