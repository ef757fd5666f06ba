import Foundation
import HealthCollector
import HealthModel
import HealthStreams

/// What a phone's sensors would be, for a machine that has none: a folder with a file for each stream,
/// `location.jsonl`, `audio.jsonl` and `healthkit.jsonl`, to which anybody adds lines. A line is an
/// entry as the hub takes it. The anchor is how many bytes were read.
struct RecordedSource: DailySource {
  let folder: URL
  /// How many entries come at once; there may be more.
  private static let limit = 50

  let feeds = StreamName.collected.map(\.shortName)

  func changes(of feed: String, since anchor: [UInt8]?) async throws -> SampleChanges {
    guard let stream = StreamName(named: feed) else { throw UnknownFeed(feed: feed) }
    let known = anchor.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    let lines = try Self.lines(of: file(feed), from: known)
    let page = lines.prefix(Self.limit)
    return SampleChanges(
      added: try page.map { try StreamEntry(JSONValue(parsing: $0), of: stream) }, deleted: [],
      newAnchor: Array("\(known + page.reduce(0) { $0 + $1.count + 1 })".utf8),
      isComplete: page.count == lines.count)
  }

  func steps(on day: ReportingDay) async throws -> Double? {
    let counts = try Self.lines(of: file("healthkit"), from: 0).compactMap { line -> Double? in
      let value = try JSONValue(parsing: line)
      let entry = try StreamEntry(value, of: .healthKit)
      guard entry.sampleType == "HKQuantityTypeIdentifierStepCount",
        day.start.timestamp <= entry.start, entry.start < day.end.timestamp
      else { return nil }
      return value["value"]?.numberValue
    }
    return counts.isEmpty ? nil : counts.reduce(0, +)
  }

  private func file(_ feed: String) -> URL { folder.appending(path: "\(feed).jsonl") }

  /// The whole lines of a file; one that is being written has no end yet.
  private static func lines(of file: URL, from start: Int) throws -> [[UInt8]] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    let bytes = [UInt8](try Data(contentsOf: file)).dropFirst(start)
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    return bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { [UInt8]($0) }
  }
}

struct UnknownFeed: Error { let feed: String }
