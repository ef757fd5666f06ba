import CSQLite
import Foundation
import HealthModel
import HealthStreams
import Outbox

/// Measures what the outbox costs on this disk, beside what SQLite itself costs.
///
/// Usage: `OutboxBenchmark FOLDER single|joined|million COUNT`. Prints one JSON object.
@main struct OutboxBenchmark {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let count = Int(arguments[3]) else { exit(64) }
    let folder = arguments[1] + "/\(UInt64.random(in: .min ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    switch arguments[2] {
    case "single":
      // In turns, because the disk's own speed changes.
      var (outbox, bare): ([Double], [Double]) = ([], [])
      for round in 0..<5 {
        bare.append(try bareCommits(folder + "/bare\(round)", count))
        outbox.append(try await singleAdds(folder + "/outbox\(round)", count))
      }
      say(["bare_per_second": median(bare), "outbox_per_second": median(outbox)])
    case "joined":
      var rates: [Double] = []
      for round in 0..<5 {
        rates.append(try await joinedAdds(folder + "/outbox\(round)", count))
      }
      say(["joined_per_second": median(rates)])
    case "million":
      let entries = try (0..<count).map(sample)
      let outbox = try open(folder + "/outbox")
      let begin = ContinuousClock.now
      try await outbox.add(entries)
      say(["rows_per_second": Double(count) / seconds(since: begin)])
    default: exit(64)
    }
  }

  static func open(_ path: String) throws -> Outbox {
    try Outbox(
      try OutboxFile(
        path: path, deviceID: "00000000-0000-4000-8000-000000000001", appVersion: "1"))
  }

  static func sample(_ number: Int) throws -> StreamEntry {
    let digits = String(number, radix: 16)
    let uuid =
      "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    return try StreamEntry(
      .object([
        "timestamp": .string("\(Timestamp(secondsSince1970: 1_600_000_000 + number))"),
        "sample_type": .string("HKQuantityTypeIdentifierHeartRate"),
        "value": .number(Double(60 + number % 60)), "unit": .string("bpm"), "uuid": .string(uuid),
      ]), of: .healthKit)
  }

  static func singleAdds(_ path: String, _ count: Int) async throws -> Double {
    let entries = try (0..<count).map(sample)
    let outbox = try open(path)
    let begin = ContinuousClock.now
    for entry in entries { try await outbox.add([entry]) }
    return Double(count) / seconds(since: begin)
  }

  static func joinedAdds(_ path: String, _ count: Int) async throws -> Double {
    let entries = try (0..<count).map(sample)
    let outbox = try open(path)
    let writers = 32
    let begin = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        group.addTask {
          for place in stride(from: writer, to: entries.count, by: writers) {
            try await outbox.add([entries[place]])
          }
        }
      }
      try await group.waitForAll()
    }
    return Double(count) / seconds(since: begin)
  }

  /// The same bytes in a table with a key and nothing else, one durable commit each.
  static func bareCommits(_ path: String, _ count: Int) throws -> Double {
    let payloads = try (0..<count).map { try sample($0).bytes }
    var handle: OpaquePointer?
    guard sqlite3_open(path, &handle) == SQLITE_OK else { exit(70) }
    defer { sqlite3_close(handle) }
    sqlite3_exec(
      handle,
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; "
        + "CREATE TABLE entries (id INTEGER PRIMARY KEY, payload BLOB)", nil, nil, nil)
    var insert: OpaquePointer?
    sqlite3_prepare_v2(handle, "INSERT INTO entries (payload) VALUES (?)", -1, &insert, nil)
    defer { sqlite3_finalize(insert) }
    let begin = ContinuousClock.now
    for payload in payloads {
      payload.withUnsafeBytes { _ = s3h_bind_blob(insert, 1, $0.baseAddress, Int32($0.count)) }
      guard sqlite3_step(insert) == SQLITE_DONE else { exit(70) }
      sqlite3_reset(insert)
    }
    return Double(count) / seconds(since: begin)
  }

  static func seconds(since begin: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - begin) / .seconds(1)
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  static func say(_ values: [String: Double]) {
    print(
      String(
        decoding: JSONValue.object(values.mapValues { .number($0.rounded()) }).canonicalBytes,
        as: UTF8.self))
  }
}
