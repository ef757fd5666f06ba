import Foundation
import HealthModel
import HealthStreams
import Outbox

/// A program that adds entries to an outbox, for tests that kill it, race it and confine it.
///
/// Usage: `OutboxWriter PATH NAME COUNT [option=value]...`
/// Adds so many entries of the three streams, or entries without end for 0, and says the ids of each
/// add on stdout once it is acknowledged. An error ends it: `storage_full ...`.
/// Options: `names=1` says the entries' names instead of their ids, `batch=N` entries an add (1), `writers=N` adds at the same time (1), `bytes=N` of each
/// chunk of audio (20), `largestFile=BYTES`, `delay=MICROSECONDS` after which it kills itself.
@main struct OutboxWriter {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4, let count = Int(arguments[3]) else { exit(64) }
    var values: [String: Int] = [:]
    for argument in arguments.dropFirst(4) {
      let parts = argument.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let value = Int(parts[1]) else { exit(64) }
      values[String(parts[0])] = value
    }
    if let size = values["largestFile"] { limitFiles(to: size) }
    if let delay = values["delay"] {
      Thread.detachNewThread {
        usleep(UInt32(delay))
        kill(getpid(), SIGKILL)
      }
    }
    do {
      let outbox = try Outbox(
        try OutboxFile(
          path: arguments[1], deviceID: "00000000-0000-4000-8000-000000000001", appVersion: "1"))
      let writers = values["writers"] ?? 1
      let saysNames = values["names"] == 1
      let (batch, bytes, name) = (values["batch"] ?? 1, values["bytes"] ?? 20, arguments[2])
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<writers {
          group.addTask {
            var number = 0
            while count == 0 || number < count / writers {
              let first = number
              let entries = try (0..<batch).map { _ in
                defer { number += 1 }
                return try entry(
                  "\(name)-\(writer)-\(number)", number, bytes: bytes)
              }
              try await outbox.add(entries)
              say(
                entries.enumerated().map { place, entry in
                  saysNames ? "\(name)-\(writer)-\(first + place)" : entry.id
                }.joined(separator: "\n"))
            }
          }
        }
        try await group.waitForAll()
      }
    } catch let error as OutboxError {
      say("error \(error.code.rawValue) \(error.message)")
      exit(1)
    } catch {
      exit(70)
    }
  }

  /// Entries of each stream in turn. A name tells each from every other.
  static func entry(_ name: String, _ number: Int, bytes: Int) throws -> StreamEntry {
    let seconds = 1_700_000_000 + number * 10
    let moment = JSONValue.string("\(Timestamp(secondsSince1970: seconds))")
    switch number % 3 {
    case 0:
      return try StreamEntry(
        .object([
          "id": .string(name), "timestamp_start": moment, "timestamp_end": moment,
          "duration": .number(30), "overlap_duration": .number(2),
          "audio_data": .string(String(repeating: "A", count: bytes / 4 * 4)),
        ]), of: .audio)
    case 1:
      return try StreamEntry(
        .object([
          "timestamp": moment, "sample_type": .string("HKQuantityTypeIdentifierStepCount"),
          "value": .number(Double(number)), "unit": .string("count"), "source": .string(name),
        ]), of: .healthKit)
    default:
      // The name becomes a moment of its own: a location has no id.
      var hash: UInt64 = 14_695_981_039_346_656_037
      for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
      return try StreamEntry(
        .object([
          "timestamp": .string(Self.moment(milliseconds: Int(hash % 1_500_000_000_000))),
          "latitude": .number(48.2), "longitude": .number(16.4), "altitude": .number(190),
          "speed": .number(1.2), "horizontal_accuracy": .number(5),
          "vertical_accuracy": .number(3),
        ]), of: .location)
    }
  }

  private static func moment(milliseconds: Int) -> String {
    let second = Timestamp(secondsSince1970: milliseconds / 1000).description.dropLast()
    let digits = String(milliseconds % 1000)
    return second + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
  }

  /// Writes at once, past all buffers: what was said before the end must be seen after it.
  static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }

  private static func limitFiles(to size: Int) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    (limit.rlim_cur, limit.rlim_max) = (.init(size), .init(size))
    #if canImport(Darwin)
      setrlimit(RLIMIT_FSIZE, &limit)
    #else
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
  }
}
