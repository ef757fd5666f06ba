import Foundation
import HealthExports
import HealthModel
import PostgresTables

/// Measures rows a second into PostgreSQL, beside `psql \copy` of the same rows into the same tables.
///
///     swift run -c release TablesBenchmark postgresql://user@127.0.0.1/empty [ROWS [TURNS]]
///
/// The database must be empty: the tables are created, and left. The figures are medians of all turns;
/// CPU time is of this process or psql, and of PostgreSQL's process for each connection, which must run
/// on this machine.
@main
enum TablesBenchmark {
  /// What one run took.
  struct Cost {
    var wall = 0.0
    /// CPU milliseconds.
    var client = 0.0
    var server = 0.0
  }

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 2 else {
      print("usage: TablesBenchmark URL [ROWS [TURNS]]")
      exit(64)
    }
    let count = arguments.count > 2 ? Int(arguments[2]) ?? 100_000 : 100_000
    let turns = arguments.count > 3 ? Int(arguments[3]) ?? 3 : 3
    let bench = try TablesBenchmark.Bench(arguments[1])
    _ = try await bench.one.create()
    print("| rows | rows/s | ms | client CPU ms | PostgreSQL CPU ms |")
    print("|---|---:|---:|---:|---:|")
    try await sleep(bench, count, turns)
    try await metrics(bench, days: 365, turns)
    try await metrics(bench, days: count / 28, turns)
  }

  // MARK: - Contests

  private static func sleep(_ bench: Bench, _ count: Int, _ turns: Int) async throws {
    let nights = (0..<count).map(night)
    let text = nights.map {
      "\($0.id)\t\($0.start)\t\($0.end)\t\($0.source ?? "\\N")\t\($0.hours ?? 0)\t"
        + "\($0.value?.name ?? "\\N")\n"
    }.joined()
    let table = "ios_apple_health_sleep"
    let columns = "healthkit_uuid, start_time, end_time, source, qty, value"
    let file = try bench.file(text)
    defer { try? FileManager.default.removeItem(atPath: file) }
    let staging = """
      CREATE TEMP TABLE staging (healthkit_uuid TEXT, start_time TIMESTAMPTZ, end_time TIMESTAMPTZ,
        source TEXT, qty DOUBLE PRECISION, value TEXT);
      """
    let clear = "TRUNCATE \(table) RESTART IDENTITY"
    try await bench.contest(
      "sleep", count, turns, clear,
      [
        ("new, one connection", .ours { try await $0.store(nights).inserted }),
        ("new, `psql \\copy`", .psql("\\copy \(table) (\(columns)) FROM '\(file)'")),
        (
          "new, `psql \\copy` into a staging table, and from there ON CONFLICT DO NOTHING",
          .psql(
            """
            \(staging.replacing("\n", with: " "))
            \\copy staging FROM '\(file)'
            INSERT INTO \(table) (\(columns)) SELECT * FROM staging ON CONFLICT DO NOTHING;
            """)
        ),
      ])
    _ = try await bench.one.store(nights)
    try await bench.contest(
      "sleep", count, turns, nil,
      [("all duplicates, one connection", .ours { try await $0.store(nights).duplicates })])
    try bench.psql(clear)
  }

  private static func metrics(_ bench: Bench, days: Int, _ turns: Int) async throws {
    let changes = try changes(days: days)
    let text = changes.compactMap { change in
      change.value.map {
        "\(change.id)\t\(change.id.prefix(10))T00:00:00Z\t\(change.id.dropFirst(11))\t\($0.number ?? 0)\t"
          + "\($0.unit ?? "\\N")\t\($0.timeZoneName ?? "\\N")\n"
      }
    }.joined()
    let file = try bench.file(text)
    defer { try? FileManager.default.removeItem(atPath: file) }
    let table = "ios_apple_health_metrics"
    let columns = "healthkit_uuid, date, type, value, unit, timezone"
    let clear = "TRUNCATE \(table), s3health_metric_orders RESTART IDENTITY"
    let name = "metrics of \(days) days"
    try await bench.contest(
      name, changes.count, turns, clear,
      [
        (
          "new, one connection", .ours { try await $0.store(changes, from: .revision).inserted }
        ),
        ("new, `psql \\copy`", .psql("\\copy \(table) (\(columns)) FROM '\(file)'")),
      ])
    _ = try await bench.one.store(changes, from: .revision)
    try await bench.contest(
      name, changes.count, turns, nil,
      [
        (
          "known, one connection",
          .ours { try await $0.store(changes, from: .revision).duplicates }
        )
      ])
    try bench.psql(clear)
  }

  // MARK: - Rows

  private static func night(_ number: Int) -> SleepRecord {
    let digits = String(number)
    let start = Int64(1_500_000_000 + number * 600)
    // Ids of samples are in no order.
    let mixed = String((UInt64(number) &* 0x9E37_79B9_7F4A_7C15) >> 32, radix: 16)
    return SleepRecord(
      id: String(repeating: "0", count: 8 - mixed.count) + mixed + "-0000-5000-8000-"
        + String(repeating: "0", count: 12 - digits.count) + digits,
      start: PreciseMoment(secondsSince1970: start),
      end: PreciseMoment(secondsSince1970: start + 540), source: "Ann’s Apple Watch", hours: 0.15,
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

extension TablesBenchmark {
  /// Who stores rows.
  enum Contestant {
    /// The library on one connection.
    case ours(@Sendable (PostgresTables) async throws -> Int)
    /// Lines for psql.
    case psql(String)
  }

  struct Bench {
    let url: String
    let one: PostgresTables

    init(_ url: String) throws {
      self.url = url
      let target = try PostgresTarget(url)
      one = PostgresTables(target, timeout: .seconds(600))
    }

    /// Runs all in turns, and prints their medians.
    func contest(
      _ name: String, _ rows: Int, _ turns: Int, _ clear: String?,
      _ contestants: [(String, Contestant)]
    ) async throws {
      var costs = [[Cost]](repeating: [], count: contestants.count)
      for _ in 0..<turns {
        for (place, contestant) in contestants.enumerated() {
          if let clear { try psql("\(clear); CHECKPOINT") }
          costs[place].append(try await cost(contestant.1, rows))
        }
      }
      for (place, contestant) in contestants.enumerated() {
        func middle(_ figure: (Cost) -> Double) -> Double {
          costs[place].map(figure).sorted()[turns / 2]
        }
        let wall = middle(\.wall)
        print(
          "| \(name): \(rows) \(contestant.0) | \(Int(Double(rows) / wall)) | \(Int(wall * 1000))"
            + " | \(Int(middle(\.client))) | \(Int(middle(\.server))) |")
      }
    }

    private func cost(_ contestant: Contestant, _ rows: Int) async throws -> Cost {
      switch contestant {
      case .ours(let work): try await cost(one, rows, work)
      case .psql(let lines): try cost(ofLines: lines)
      }
    }

    private func cost(
      _ tables: PostgresTables, _ rows: Int, _ work: (PostgresTables) async throws -> Int
    ) async throws -> Cost {
      let before = (own: Self.used(RUSAGE_SELF), servers: try servers(), at: ContinuousClock.now)
      let done = try await work(tables)
      let wall = (ContinuousClock.now - before.at) / .seconds(1)
      guard done == rows else { fatalError("\(done) of \(rows) rows were counted") }
      let client = Self.used(RUSAGE_SELF) - before.own
      return Cost(wall: wall, client: client, server: try servers() - before.servers)
    }

    private func cost(ofLines lines: String) throws -> Cost {
      let script = try file(
        """
        SELECT pg_backend_pid() AS pid \\gset
        \\setenv BACKEND :pid
        \\! cut -d' ' -f14,15 /proc/$BACKEND/stat
        \(lines)
        \\! cut -d' ' -f14,15 /proc/$BACKEND/stat
        """)
      defer { try? FileManager.default.removeItem(atPath: script) }
      let before = (own: Self.used(RUSAGE_CHILDREN), at: ContinuousClock.now)
      let ticks = try output(["--file", script]).split(separator: "\n").map(Self.ticks)
      guard ticks.count == 2 else { fatalError("psql printed something else") }
      return Cost(
        wall: (ContinuousClock.now - before.at) / .seconds(1),
        client: Self.used(RUSAGE_CHILDREN) - before.own, server: (ticks[1] - ticks[0]) * 10)
    }

    // MARK: - CPU time

    private static func used(_ who: __rusage_who) -> Double {
      var usage = rusage()
      getrusage(.init(who.rawValue), &usage)
      func milliseconds(_ time: timeval) -> Double {
        Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
      }
      return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
    }

    /// CPU milliseconds of the server's processes for this one.
    private func servers() throws -> Double {
      try output([
        "--command", "SELECT pid FROM pg_stat_activity WHERE application_name = 's3healthd'",
      ]).split(separator: "\n").reduce(0) { sum, pid in
        let status = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return sum + Self.ticks(status.split(separator: " ")[13...14].joined(separator: " ")) * 10
      }
    }

    private static func ticks(_ line: some StringProtocol) -> Double {
      line.split(separator: " ").reduce(0) { $0 + (Double($1) ?? 0) }
    }

    // MARK: - psql

    func psql(_ statement: String) throws { _ = try output(["--command", statement]) }

    private func output(_ arguments: [String]) throws -> String {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments =
        ["psql", "--quiet", "--no-psqlrc", "--tuples-only", "--no-align", "--dbname", url]
        + arguments
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let text = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { exit(1) }
      return String(decoding: text, as: UTF8.self)
    }

    func file(_ text: String) throws -> String {
      let path = NSTemporaryDirectory() + "/tables-benchmark-\(UInt64.random(in: 0 ... .max))"
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      return path
    }
  }
}

extension String {
  fileprivate func replacing(_ character: Character, with other: Character) -> String {
    String(map { $0 == character ? other : $0 })
  }
}
