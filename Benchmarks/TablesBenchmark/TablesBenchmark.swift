import Foundation
import HealthModel
import HealthRecords
import HealthSamples
import PostgresTables

/// Measures rows a second into PostgreSQL, beside `psql \copy` of the same rows into the same table.
///
///     swift run -c release TablesBenchmark postgresql://user@127.0.0.1/empty [ROWS]
///
/// The database must be empty: the tables are created, and left.
@main
enum TablesBenchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 2 else {
      print("usage: TablesBenchmark URL [ROWS]")
      exit(64)
    }
    let count = arguments.count > 2 ? Int(arguments[2]) ?? 100_000 : 100_000
    let url = arguments[1]
    let tables = PostgresTables(
      try PostgresTarget(url), connections: 1, timeout: .seconds(600))
    _ = try await tables.create()

    try psql(url, "TRUNCATE ios_apple_health_sleep")
    let nights = (0..<count).map(night)
    let ours = try await rate("sleep, new", count) { try await tables.store(nights).inserted }
    _ = try await rate("sleep, all duplicates", count) {
      try await tables.store(nights).duplicates
    }
    try psql(url, "TRUNCATE ios_apple_health_sleep")
    let file = NSTemporaryDirectory() + "/tables-benchmark.tsv"
    let text = nights.map {
      "\($0.id)\t\($0.start)\t\($0.end)\t\($0.source ?? "\\N")\t\($0.hours ?? 0)\t\($0.value.name)\n"
    }.joined()
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    let columns = "(healthkit_uuid, start_time, end_time, source, qty, value)"
    let copy = try await rate("psql \\copy of the same", count) {
      try psql(url, "\\copy ios_apple_health_sleep \(columns) FROM '\(file)'")
      return count
    }
    try FileManager.default.removeItem(atPath: file)
    print("times as long as psql: \((ours / copy * 100).rounded() / 100)")

    let year = try changes(days: 365)
    _ = try await rate("metrics of a year, new", year.count) {
      try await tables.store(year, from: .revision).inserted
    }
    _ = try await rate("metrics of a year, known", year.count) {
      try await tables.store(year, from: .revision).duplicates
    }
    let decade = try changes(days: 3650)
    _ = try await rate("metrics of ten years, nine new", decade.count) {
      try await tables.store(decade, from: .revision).received
    }
  }

  /// Runs work, and prints how many rows a second that is; returns the seconds.
  private static func rate(
    _ what: String, _ rows: Int, _ work: @Sendable () async throws -> Int
  ) async throws -> Double {
    let begun = ContinuousClock.now
    let done = try await work()
    let seconds = (ContinuousClock.now - begun) / .seconds(1)
    let name = what + String(repeating: " ", count: max(1, 34 - what.count))
    print("\(name)\(Int(Double(rows) / seconds)) rows/s, \((seconds * 1000).rounded()) ms, \(done)")
    return seconds
  }

  private static func psql(_ url: String, _ statement: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["psql", "--quiet", "--no-psqlrc", "--dbname", url, "--command", statement]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { exit(1) }
  }

  private static func night(_ number: Int) -> SleepRecord {
    let digits = String(number)
    let start = Int64(1_500_000_000 + number * 600)
    // Ids of samples are in no order.
    let mixed = String((UInt64(number) &* 0x9E37_79B9_7F4A_7C15) >> 32, radix: 16)
    return SleepRecord(
      id: String(repeating: "0", count: 8 - mixed.count) + mixed + "-0000-5000-8000-"
        + String(repeating: "0", count: 12 - digits.count) + digits,
      start: RecordMoment(secondsSince1970: start),
      end: RecordMoment(secondsSince1970: start + 540), source: "Ann’s Apple Watch", hours: 0.15,
      value: .asleepCore)
  }

  private static func changes(days: Int) throws -> [MetricChange] {
    guard let first = CalendarDate("2015-01-01") else { return [] }
    let moment = Timestamp(secondsSince1970: 1_750_000_000)
    return (0..<days).compactMap { first.adding(days: $0) }.flatMap { date in
      MetricRecord.given.map { metric in
        MetricChange(
          id: MetricRecord.id(date, metric.recordType),
          order: MetricOrder(RevisionID(at: moment, entropy: 7)),
          value: .init(number: 61.25, unit: metric.recordUnitLabel, timeZoneName: "Europe/Berlin"))
      }
    }
  }
}
