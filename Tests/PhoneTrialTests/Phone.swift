import CurlTransport
import Foundation
import HealthLedger
import HealthModel
import HealthStreams
import PhoneKit
import S3Session
import S3Store
import Secrets
import SigV4
import StoreTesting
import TestSupport

/// The example's collector in a folder, with sensors that the test writes.
struct Phone {
  /// S3HEALTH_PHONE_PROGRAM: the example as its own package builds it, else beside the tests.
  static let program =
    ProcessInfo.processInfo.environment["S3HEALTH_PHONE_PROGRAM"]
    ?? BuiltProgram.path("PhoneTrial")

  let home: URL
  let device: String
  private let zone = "Europe/Berlin"
  private let now = Int(Date().timeIntervalSince1970)
  /// The start of a line that is being written.
  private var unwritten: [String: String] = [:]
  private(set) var ids: [StreamName: Set<String>] = [:]
  private(set) var steps: [CalendarDate: Double] = [:]

  init(in folder: URL) throws {
    home = folder.appending(path: "phone")
    try FileManager.default.createDirectory(
      at: home.appending(path: "sensors"), withIntermediateDirectories: true)
    device = try CollectorIdentity.loadOrCreate(in: home).deviceID.uuidString.lowercased()
  }

  func set(hub: String?, token: String?, server: TestServer, prefix: String, gateway: String?)
    throws
  {
    var settings: [String: Any] = [
      "zone": zone,
      "bucket": [
        "name": server.bucket, "endpoint": server.endpoint, "region": server.region,
        "prefix": prefix,
      ],
    ]
    settings["hub"] = hub
    (settings["gateway"], settings["instance"]) = (gateway, prefix)
    try JSONSerialization.data(withJSONObject: settings)
      .write(to: home.appending(path: "settings.json"))
    let secrets = SecretFolder(path: home.appending(path: "secrets").path)
    try secrets.keep(Secret(server.accessKey), named: S3Store.KeyName.accessKeyID)
    try secrets.keep(Secret(server.secretKey), named: S3Store.KeyName.secretAccessKey)
    if let token { try secrets.keep(Secret(token), named: "hub.token") }
  }

  /// Finds over libcurl whether the bucket's conditional writes can be trusted, and keeps the verdict
  /// where the phone looks: over `URLSession` a probe may find none, and what is tested here is not it.
  func probe(_ server: TestServer) async throws { try await Self.probe(server, in: home) }

  /// The same, for the app in a folder.
  static func probe(_ server: TestServer, in home: URL) async throws {
    var configuration = S3Configuration(bucket: server.bucket, region: server.region)
    configuration.endpoint = try S3Endpoint(parsing: server.endpoint, origin: "the test")
    var options = S3Store.Options()
    options.cacheFolder = home.appending(path: "caches")
    let store = S3Store(
      configuration,
      credentials: StaticCredentials(
        SigningCredentials(accessKeyID: server.accessKey, secretAccessKey: server.secretKey)),
      transport: CurlTransport(), options: options)
    _ = try await store.conditionalWrites()
  }

  /// The next entries of each stream. The last line of each has no end yet.
  mutating func live(_ random: inout SplitMix64) throws {
    for stream in StreamName.collected {
      var text = unwritten.removeValue(forKey: stream.shortName) ?? ""
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        text += try entry(of: stream, &random) + "\n"
      }
      let next = try entry(of: stream, &random) + "\n"
      let cut = next.index(next.startIndex, offsetBy: next.count / 2)
      unwritten[stream.shortName] = String(next[cut...])
      try append(text + next[..<cut], to: stream)
    }
  }

  /// Ends the lines that are being written.
  mutating func endLines() throws {
    for stream in StreamName.collected {
      try append(unwritten.removeValue(forKey: stream.shortName) ?? "", to: stream)
    }
  }

  private func append(_ text: String, to stream: StreamName) throws {
    let path = home.appending(path: "sensors/\(stream.shortName).jsonl").path
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
  }

  private mutating func entry(of stream: StreamName, _ random: inout SplitMix64) throws -> String {
    let number = ids[stream, default: []].count
    // Within five days, in no order, no two at the same second.
    let at = Timestamp(
      secondsSince1970: now - 600 - (number * 7919) % 430_000)
    let line: String
    switch stream {
    case .location:
      line = """
        {"timestamp":"\(at)","latitude":48.5,"longitude":16.25,"altitude":\(number),"speed":1,\
        "horizontal_accuracy":5,"vertical_accuracy":3}
        """
    case .audio:
      line = """
        {"id":"chunk-\(number)","timestamp_start":"\(at)","timestamp_end":"\(at.adding(seconds: 30))",\
        "duration":30,"overlap_duration":2,"audio_data":"AAAA"}
        """
    default:
      let count = Int.random(in: 1...200, using: &random)
      let date = try ReportingDay.date(at: at, timeZoneName: zone)
      steps[date, default: 0] += Double(count)
      line = """
        {"sample_type":"HKQuantityTypeIdentifierStepCount","uuid":"\(UUID().uuidString)",\
        "timestamp":"\(at)","value":\(count),"unit":"count"}
        """
    }
    ids[stream, default: []].insert(
      try StreamEntry(JSONValue(parsing: Array(line.utf8)), of: stream).id)
    return line
  }

  /// Begins a run.
  func start() throws -> Process {
    try .started(Self.program, [home.path, "processing"], in: home)
  }

  /// Whether the last run said that nothing waits in any queue.
  var hasNothingLeft: Bool {
    let lines = log.split(separator: "\n").filter { $0.hasPrefix("waiting: ") }
    return lines.count == 2
      && lines.allSatisfy { $0.hasPrefix("waiting: location 0, audio 0, healthkit 0;") }
  }

  /// What the last run said.
  var log: String {
    (try? String(contentsOf: home.appending(path: "log.txt"), encoding: .utf8)) ?? ""
  }
}

extension PhoneEnvironment {
  static let trialZone = "Europe/Berlin"

  /// The app in a folder of a program's home.
  static func trial(
    _ program: Program, _ health: RehearsedHealth, _ permissions: RehearsedPermissions
  ) -> PhoneEnvironment {
    let home = program.home.appending(path: "phone")
    return PhoneEnvironment(
      folder: home, secrets: SecretFolder(path: home.appending(path: "secrets").path),
      health: health, permissions: permissions, notify: { _, _ in },
      timeZoneName: { trialZone })
  }
}

/// The app after its first steps, with a hub that has tables.
struct PhoneOnHub {
  let store: URL
  let database: PostgresServer.Database
  let health: RehearsedHealth
  let environment: PhoneEnvironment
  let service: PhoneService
  let hub: HubProgram
  private let program: Program

  /// - Parameters:
  ///   - limit: how many samples Health gives at once.
  ///   - now: the phone's clock.
  init(
    limit: Int = 50, now: @escaping @Sendable () -> Timestamp = { .now }
  ) async throws {
    (program, store, database) = try await HubProgram.withTables()
    health = RehearsedHealth(limit: limit)
    let permissions = RehearsedPermissions()
    for permission in PhonePermission.allCases { permissions.set(.granted, of: permission) }
    var environment = PhoneEnvironment.trial(program, health, permissions)
    environment.now = now
    self.environment = environment
    service = try PhoneService(environment)
    let token = try await HubProgram.token(
      "phone", program, arguments: ["--device", service.deviceID])
    hub = try await HubProgram(program, store: store.path)
    try await service.keep(token: Secret(token))
    let receiver = PhoneReceiver.hub(url: hub.url)
    try await service.change {
      ($0.receiver, $0.onboarding, $0.isRunning) = (receiver, .finished, true)
    }
  }

  func removeHome() { program.removeHome() }

  /// The app's models, as of another start.
  @MainActor func model() async throws -> PhoneModel {
    try await PhoneModel(environment, timer: RehearsedTimer(), collecting: RehearsedSensors())
  }

  /// How many rows a table of the hub has.
  func rows(_ table: String, where condition: String = "true") async throws -> Int {
    let found = try await database.sql(
      "SELECT count(*) FROM ios_apple_health_\(table) WHERE \(condition)")
    return Int(found[0][0][0]) ?? -1
  }

  /// How many of them are weights.
  func weights() async throws -> Int { try await rows("metrics", where: "type LIKE 'Weight%'") }
}

extension Process {
  /// A program that runs in a home of its own, with what it prints in `log.txt` there.
  static func started(_ program: String, _ arguments: [String], in home: URL) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": home.path]
    let log = home.appending(path: "log.txt")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    let file = try FileHandle(forWritingTo: log)
    (process.standardOutput, process.standardError) = (file, file)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }
}
