import Foundation
import HealthModel
import ObjectStore
import TestSupport
import Testing

@testable import HealthStreams

/// The format of stored objects, checked by Python and a file system.
@Suite(.process) struct FormatPeerTests {
  private struct Report: Decodable {
    struct Object: Decodable {
      let key: String
      let body: String
    }

    let batches: Int
    let markers: Int
    let entries: [String: [String]]
    let marked: [[String]]
    let own: Object
  }

  @Test func `R46: Python finds in a folder what was appended, and its own batch is read`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "streams-\(UInt64.random(in: .min ... .max))")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try DirectoryStore(path: folder.path, createsRoot: true)
    let streams = try Samples.streams(store)
    let audio = try Samples.entry(
      #"{"id":"c-1","timestamp_start":"2025-01-30T23:59:58.250Z","timestamp_end":"2025-01-31T00:00:28.250Z","duration":30,"audio_data":"AAAA","overlap_duration":2}"#,
      .audio)
    let odd = try Samples.entry(
      #"{"timestamp":"2025-01-30T10:00:00Z","sample_type":"HKQuantityTypeIdentifierDistanceWalkingRunning","value":2.675,"unit":"m","source":"Zoë \"W\" 😀\n","extra":[1,{"a":null}]}"#
    )
    let batches = [
      try Samples.overMidnight(), Samples.batch([audio], session: "quo\"te }"),
      Samples.batch([try Samples.location("2025-01-30T10:00:00.001Z")]), Samples.batch([odd]),
    ]
    for batch in batches + batches {
      _ = try await streams.append(
        batch, feed: "outbox", receivedAt: PreciseMoment(Samples.received),
        run: RunID(at: Samples.received), keeping: nil)
    }
    var lines = ""
    for entry in try await store.listAll(ListRequest(prefix: "")) {
      let key = try #require(ObjectKey(entry.key))
      let body = try #require(try await store.get(key, limit: 1 << 20))
      lines += "\(entry.key) \(Data(body.body).base64EncodedString())\n"
    }
    let output = try await PeerPython.run("stream_objects.py", input: Array(lines.utf8))
    let report = try JSONDecoder().decode(Report.self, from: Data(output))
    // Each was sent twice and is there once; but each send of samples left a marker of its own.
    #expect(report.batches == 6 && report.markers == 4)
    #expect(
      report.entries.mapValues(\.count) == [
        "apple_ios_healthkit": 5, "apple_ios_mic_audio": 1, "apple_ios_core_location": 1,
      ])
    let ours = try await streams.all().flatMap(\.entries).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
    #expect(Set(ours) == Set(report.entries["apple_ios_healthkit"] ?? []))
    #expect(ours.contains { $0.contains(#""value":2.68"#) })

    let body = try #require(Data(base64Encoded: report.own.body))
    let key = try #require(ObjectKey(report.own.key))
    _ = try await store.put(key, Array(body), if: .absent)
    let place = try #require(streams.layout.place(report.own.key))
    let read = try #require(try await streams.read(key, at: place)).get()
    #expect(read.feed == "peer" && read.request.session == "python")
    #expect(read.entries.map(\.sampleType) == ["HKQuantityTypeIdentifierStepCount"])
  }
}
