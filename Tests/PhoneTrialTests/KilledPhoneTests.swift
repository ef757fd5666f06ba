import Foundation
import Gzip
import HealthLedger
import HealthModel
import HealthStreams
import ObjectStore
import S3Session
import S3Store
import Secrets
import StoreTesting
import TestSupport
import Testing

/// The example's collector, killed again and again, with a real hub and a real bucket.
@Suite(.server, .prometheus, .slow) struct KilledPhoneTests {
  /// What a store has of the three streams, each entry as often as it is there.
  private static func tally(
    _ store: any ObjectStore, _ layout: StreamLayout
  ) async throws -> (ids: [StreamName: Set<String>], doubled: Int) {
    let streams = StreamStore(store: store, layout: layout, compression: ZlibCompression())
    var (ids, doubled): ([StreamName: Set<String>], Int) = ([:], 0)
    for stream in StreamName.collected {
      var tally = EntryTally()
      let listing = try await streams.batches(of: stream)
      #expect(listing.foreign.isEmpty)
      for batch in listing.batches {
        let read = try await streams.read(batch.key, at: batch.place)
        tally.add(try #require(read).get())
      }
      doubled += tally.duplicates
      ids[stream] = Set(tally.entries.map(\.id))
    }
    return (ids, doubled)
  }

  @Test(arguments: TestServer.one.filter { !$0.speaksTLS })
  func `a phone that is killed again and again loses nothing and sends nothing twice`(
    server: TestServer
  ) async throws {
    let program = try Program()
    defer { program.removeHome() }
    let hubStore = program.home.appending(path: "store")
    try FileManager.default.createDirectory(at: hubStore, withIntermediateDirectories: true)
    var phone = try Phone(in: program.home)
    let token = try await HubProgram.token(
      "phone", program, arguments: ["--device", phone.device])
    let hub = try await HubProgram(program, store: hubStore.path)
    let gateways = try PrometheusServers.shared()
    let prefix = "phone-\(UUID().uuidString.lowercased())"
    try phone.set(
      hub: hub.url, token: token, server: server, prefix: prefix, gateway: gateways.gateway)

    try await phone.probe(server)
    var random = SplitMix64(seed: 32)
    let kills = TestDepth.kills(server.name == TestServer.all.first?.name ? 100 : 30)
    // A run that ended before its kill does not count, and the next ones are killed earlier.
    var (killed, latest) = (0, 900.0)
    for _ in 0..<kills * 5 where killed < kills {
      try phone.live(&random)
      let process = try phone.start()
      try await Task.sleep(for: .milliseconds(.random(in: 1...latest, using: &random)))
      if process.isRunning {
        kill(process.processIdentifier, SIGKILL)
        killed += 1
      } else {
        latest = max(20, latest * 0.8)
      }
      process.waitUntilExit()
    }
    #expect(killed == kills)
    try phone.endLines()
    // The first of these ends the run that was killed; a batch that failed waits for its next attempt.
    var isDone = false
    for run in 0..<40 where !isDone {
      let process = try phone.start()
      process.waitUntilExit()
      isDone = run > 0 && process.terminationStatus == 0 && phone.hasNothingLeft
      if run > 1, !isDone { try await Task.sleep(for: .seconds(2)) }
    }
    #expect(isDone, "\(phone.log)")

    let bucket = try S3Store(
      bucket: server.bucket, endpoint: server.endpoint, region: server.region,
      secrets: SecretFolder(path: phone.home.appending(path: "secrets").path))
    let folder = try DirectoryStore(root: hubStore)
    let layout = try #require(StreamLayout(prefix: prefix))
    for (name, found) in [
      ("hub", try await Self.tally(folder, .root)),
      ("bucket", try await Self.tally(bucket, layout)),
    ] {
      #expect(found.doubled == 0, "\(name)")
      for stream in StreamName.collected {
        #expect(found.ids[stream] == phone.ids[stream], "\(name): \(stream)")
      }
    }

    // The phone's days are in the bucket, and the hub's own in its folder.
    let published = HealthLedger(store: bucket, layout: try LedgerLayout(prefix: prefix))
    // Which dates a life touches is a matter of chance, and ten kills are few lives.
    #expect(phone.steps.count >= TestDepth.full(5, usual: 2))
    for (date, steps) in phone.steps {
      let day = try await published.resolve(date)
      #expect(day.latest?.revision.reading(of: .steps).number == steps, "\(date)")
    }
    // Of today, the gateway has what the ledger has. The numbers of other days stay in it.
    let today = try ReportingDay.date(at: .now, timeZoneName: "Europe/Berlin")
    if let steps = phone.steps[today] {
      let pushed = try await gateways.pushed(instance: prefix)
      #expect(
        pushed.contains(#"healthkit_steps_total{source="all",unit="count"} \#(Int(steps))"#),
        "\(pushed)")
    }
    let derived = HealthLedger(store: folder)
    var missing: [CalendarDate] = []
    for _ in 0..<60 {
      missing = []
      for (date, steps) in phone.steps {
        let day = try await derived.resolve(date)
        if day.latest?.revision.reading(of: .steps).number != steps { missing.append(date) }
      }
      if missing.isEmpty { break }
      try await Task.sleep(for: .milliseconds(500))
    }
    #expect(missing.isEmpty, "the hub's days differ on \(missing)")
    try await hub.end(by: SIGTERM)
  }
}
