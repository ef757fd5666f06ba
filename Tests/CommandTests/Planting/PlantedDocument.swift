import Foundation

/// A revision's document in pieces of JSON text, so that any piece can be made wrong; written
/// without the program's own model.
struct PlantedDocument {
  static let metrics = [
    ("active_energy_kcal", "kcal", "512.5"), ("exercise_minutes", "min", "0"),
    ("hrv_sdnn_avg", "ms", "48.25"), ("resting_hr_avg", "bpm", "58"),
    ("sleep_asleep_minutes", "min", "421"), ("sleep_in_bed_minutes", "min", "455"),
    ("stand_hours", "hr", "11"), ("steps", "count", "8432"),
  ]

  /// Members of the top level and of its objects, by JSON pointer; canonical when sorted.
  var pieces: [String: String] = [:]

  init(date: PlantedDate, id: String) {
    pieces["/collector/collector_id"] = #""01020304-0506-4708-890A-0B0C0D0E0F10""#
    pieces["/collector/device_id"] = #""100F0E0D-0C0B-4A09-8807-060504030201""#
    pieces["/schema_version"] = #""health.v0""#
    pieces["/generated_at"] = "\"\(Self.moment(of: id))\""
    for (name, unit, value) in Self.metrics {
      pieces["/metrics/\(name)"] = value
      pieces["/metric_status/\(name)"] = #""ok""#
      pieces["/metric_units/\(name)"] = "\"\(unit)\""
    }
    put(date)
  }

  /// The date, its zone and its boundaries.
  mutating func put(_ date: PlantedDate) {
    pieces["/date"] = "\"\(date.text)\""
    pieces["/day/timezone"] = #""Europe/Berlin""#
    pieces["/day/start"] = "\"\(date.start)\""
    pieces["/day/end"] = "\"\(date.next.start)\""
  }

  /// The canonical text.
  var text: String {
    var tops: [String: [(String, String)]] = [:]
    for (pointer, value) in pieces {
      let parts = pointer.split(separator: "/").map(String.init)
      tops[parts[0], default: []].append((parts.count == 2 ? parts[1] : "", value))
    }
    let members = tops.sorted { $0.key < $1.key }.map { name, inner in
      if inner.count == 1, inner[0].0.isEmpty { return "\"\(name)\":\(inner[0].1)" }
      let sorted = inner.sorted { $0.0 < $1.0 }.map { "\"\($0.0)\":\($0.1)" }
      return "\"\(name)\":{\(sorted.joined(separator: ","))}"
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// `2026-02-08T10:00:00Z` of the id `20260208T100000Z-7F3A2C`.
  static func moment(of id: String) -> String {
    let d = Array(id)
    return String(d[0..<4]) + "-" + String(d[4..<6]) + "-" + String(d[6..<11]) + ":"
      + String(d[11..<13]) + ":" + String(d[13..<16])
  }
}

/// A calendar date in Europe/Berlin, by Foundation.
struct PlantedDate: Hashable {
  /// Days since 1970-01-01.
  let number: Int

  private static let utc = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    return calendar
  }()
  private static let berlin = TimeZone(identifier: "Europe/Berlin") ?? .current

  var next: PlantedDate { PlantedDate(number: number + 1) }

  var text: String { parts.joined(separator: "-") }
  var path: String { parts.joined(separator: "/") }

  private var parts: [String] {
    let date = Date(timeIntervalSince1970: Double(number) * 86_400)
    let parts = Self.utc.dateComponents([.year, .month, .day], from: date)
    return [parts.year ?? 0, parts.month ?? 0, parts.day ?? 0].enumerated().map {
      String(format: $0.offset == 0 ? "%04d" : "%02d", $0.element)
    }
  }

  /// The day's first moment with its offset. Berlin's clocks change at 01:00 UTC, so its midnight
  /// always exists, once.
  var start: String {
    let noon = Date(timeIntervalSince1970: Double(number) * 86_400 - 3600)
    return "\(text)T00:00:00+0\(Self.berlin.secondsFromGMT(for: noon) / 3600):00"
  }
}
