import Foundation
import Gzip
import HealthModel
import HealthStreams
import ObjectStore
import PhoneKit
import Secrets
import StoreTesting
import TestSupport
import Testing

/// A simulated day of the app, whose process is killed again and again, with a real hub.
@Suite(.process, .nightly) struct KilledDayTests {
  private static let kills = TestDepth.kills(50)

  private static func start(_ home: URL, _ arguments: [String]) throws -> Process {
    try .started(BuiltProgram.path("PhoneDay"), [home.path] + arguments, in: home)
  }

  private static func text(_ name: String, _ home: URL) throws -> String {
    try String(contentsOf: home.appending(path: name), encoding: .utf8)
  }

  @Test
  func
    `a day of kills, airplane mode, full disks, wrong clocks and a revoked permission loses nothing`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let home = program.home.appending(path: "phone")
    let store = program.home.appending(path: "store")
    for folder in [home, store] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let begun = Int(Date().timeIntervalSince1970) - 172_800 - Self.kills * 3600
    let environment = PhoneEnvironment(
      folder: home.appending(path: "app"),
      secrets: SecretFolder(path: home.appending(path: "secrets").path),
      health: RehearsedHealth(), permissions: RehearsedPermissions(), notify: { _, _ in },
      timeZoneName: { "Europe/Berlin" })
    let service = try PhoneService(environment)
    let token = try await HubProgram.token(
      "phone", program, arguments: ["--device", service.deviceID])
    let hub = try await HubProgram(program, store: store.path)
    try await service.keep(token: Secret(token))
    #expect(await service.verify(.hub(url: hub.url)) == nil)
    try await service.change {
      ($0.receiver, $0.onboarding, $0.isRunning) = (.hub(url: hub.url), .finished, true)
      $0.collectsSince = Timestamp(secondsSince1970: begun - 86_400)
    }
    try Data(hub.url.utf8).write(to: home.appending(path: "hub.txt"))
    try Data("\(begun)".utf8).write(to: home.appending(path: "start.txt"))
    try Data().write(to: home.appending(path: "taken.txt"))

    var random = SplitMix64(seed: 33)
    var killed = 0
    for _ in 0..<Self.kills * 3 where killed < Self.kills {
      let process = try Self.start(home, ["100000"])
      try await Task.sleep(for: .milliseconds(.random(in: 20...900, using: &random)))
      if process.isRunning {
        kill(process.processIdentifier, SIGKILL)
        killed += 1
      }
      process.waitUntilExit()
    }
    #expect(killed == Self.kills)
    // The last pieces with all in order; on a slow machine as many more as every kind of trouble takes.
    let lived = try #require(Int(try Self.text("tick.txt", home)))
    let process = try Self.start(home, ["\(max(3, 501 - lived))", "end"])
    process.waitUntilExit()
    let log = try Self.text("log.txt", home)
    try #require(log.contains("nothing is left"), "\(log)")

    let ticks = try #require(Int(try Self.text("tick.txt", home)))
    // Every kind of trouble was there.
    #expect(ticks > 500, "\(ticks) ticks")
    let streams = StreamStore(
      store: try DirectoryStore(root: store), layout: .root, compression: ZlibCompression())
    var found: [StreamName: Set<String>] = [:]
    for stream in StreamName.collected {
      var tally = EntryTally()
      let listing = try await streams.batches(of: stream)
      #expect(listing.foreign.isEmpty)
      for batch in listing.batches {
        tally.add(try #require(try await streams.read(batch.key, at: batch.place)).get())
      }
      #expect(tally.duplicates == 0, "\(stream)")
      found[stream] = Set(tally.entries.map(\.id))
    }
    // What was taken is there. What a kill met between the queue and the note may be there too.
    let taken = try Self.text("taken.txt", home).split(separator: "\n")
    for stream in [StreamName.location, .audio] {
      let ids = Set(
        taken.filter { $0.hasPrefix("\(stream.shortName) ") }
          .map { String($0.dropFirst(stream.shortName.count + 1)) })
      let there = found[stream] ?? []
      #expect(ids.isSubset(of: there), "\(stream): \(ids.subtracting(there).count) are lost")
      #expect(there.subtracting(ids).count <= killed, "\(stream)")
      #expect(ids.count > ticks / 4)
    }
    // Of HealthKit every sample, exactly.
    let samples = Set(
      (1...ticks).filter { $0.isMultiple(of: 2) }.map { tick in
        let digits = "\(1_000_000 + tick)"
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
          + digits
      })
    #expect(found[.healthKit] == samples)
    try await hub.end(by: SIGTERM)
  }
}
