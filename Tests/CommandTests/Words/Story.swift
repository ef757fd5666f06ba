import Foundation
import Subprocess
import TestSupport
import Testing

/// How a person's data comes into a store.
enum StoryWay: String, CaseIterable, Sendable {
  /// The commands that read files.
  case put, `import`, collect
  /// The outbox, `sync`, and the days of the streams.
  case queue
  /// A post to s3healthd.
  case hub

  /// Three commands with one reader: one of them in a usual run.
  static let files = TestDepth.full([StoryWay.put, .import, .collect], usual: [.collect])
  static let all = TestDepth.full(allCases, usual: [.put, .queue, .hub])
}

/// By which way a payload comes, and into which store.
struct StorySetting: Sendable, CustomStringConvertible {
  let way: StoryWay
  /// A folder where it is nil.
  var server: TestServer?

  var description: String { "\(way.rawValue) into \(server?.name ?? "a folder")" }

  /// One into a folder and one into each server; in `scripts/test all` each into a folder and into the two
  /// servers that a usual run has. How data comes has nothing to do with how a further server differs.
  static let all: [StorySetting] =
    TestDepth.full(StoryWay.all, usual: [.put]).map { StorySetting(way: $0) }
    + TestServer.all.enumerated().flatMap { index, server -> [StorySetting] in
      let one = [[StoryWay.hub, .import, .put, .queue, .collect][index % 5]]
      let ways = server.speaksTLS || index > 2 ? one : TestDepth.full(StoryWay.all, usual: one)
      return ways.map { StorySetting(way: $0, server: server) }
    }

  /// Whether the run has time for more than the story itself.
  var isThorough: Bool { server == nil || TestDepth.now == .all }
}

/// What a source says: its bytes, and when they were written.
struct Telling: Sendable {
  let bytes: [UInt8]
  /// The hour after the midnight with which 2026-02-08 begins in Berlin; nil is now.
  var hour: Int?
  var way: StoryWay
  var options: [String] = []

  /// A payload of Health Auto Export.
  static func payload(_ metrics: String..., at hour: Int? = nil, by way: StoryWay) -> Telling {
    let text = #"{"data":{"metrics":[\#(metrics.joined(separator: ","))]}}"#
    return Telling(bytes: Array(text.utf8), hour: hour, way: way)
  }

  /// Apple's export, imported. It names its own hour; nil is now.
  static func export(
    _ elements: String..., at hour: Int? = nil, options: [String] = []
  ) -> Telling {
    let made = hour.map { Story.moment($0) } ?? Story.text(Date())
    return Telling(bytes: SmallExport.bytes(made: made, elements), way: .import, options: options)
  }

  /// A record of an export.
  static func record(
    _ type: String, _ value: Double, _ unit: String = "count", at hour: Int = 10
  ) -> String {
    SmallExport.record(type, value, unit: unit, from: Story.moment(hour))
  }

  /// A night of one stage in an export.
  static func asleep(_ hours: Range<Int>) -> String {
    """
    <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" \
    startDate="\(Story.moment(hours.lowerBound))" endDate="\(Story.moment(hours.upperBound))" \
    value="HKCategoryValueSleepAnalysisAsleepCore"/>
    """
  }

  /// Numbers that a person wrote down.
  static func numbers(_ metrics: [String: Double]) -> Telling {
    let members = metrics.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
    return Telling(bytes: Array(#"{"date":"2026-02-08","metrics":{\#(members)}}"#.utf8), way: .put)
  }

  /// The rows of a metric of a payload: of hours, or of the whole day at hour 0.
  static func rows(
    _ name: String, _ unit: String, _ numbers: KeyValuePairs<Int, Double>, zone: Int = 1
  ) -> String {
    let rows = numbers.map { #"{"date":"\#(Story.moment($0.key, zone))","qty":\#($0.value)}"# }
    return #"{"name":"\#(name)","units":"\#(unit)","data":[\#(rows.joined(separator: ","))]}"#
  }

  static func steps(_ numbers: KeyValuePairs<Int, Double>, zone: Int = 1) -> String {
    rows("step_count", "count", numbers, zone: zone)
  }

  /// Sleep of one stage, a row an hour.
  static func night(_ hours: Range<Int>, _ stage: String = "Core") -> String {
    let rows = hours.map {
      #"{"startDate":"\#(Story.moment($0))","endDate":"\#(Story.moment($0 + 1))","#
        + #""value":"\#(stage)","source":"Watch"}"#
    }
    return #"{"name":"sleep_analysis","units":"hr","data":[\#(rows.joined(separator: ","))]}"#
  }
}

/// A store with a home, and what sources say of 2026-02-08: the stories of R20 through the programs.
struct Story {
  static let date = "2026-02-08"

  var program: Program
  /// The arguments that name the store.
  let store: [String]

  init(_ server: TestServer? = nil, zone: String = "Europe/Berlin") throws {
    var program = try Program()
    if let server {
      program = program.on(server)
      store = server.arguments(prefix: "stories/\(UUID())")
    } else {
      store = ["--store", try program.folder("store").path]
    }
    program.environment["S3HEALTH_TIMEZONE"] = zone
    self.program = program
  }

  /// So many hours after the midnight of Berlin with which the date begins.
  static func time(_ hour: Int) -> Date {
    Date(timeIntervalSince1970: 1_770_505_200 + Double(hour * 3600))
  }

  /// The same as the apps write it, in a zone with that offset.
  static func moment(_ hour: Int, _ zone: Int = 1) -> String { text(time(hour), zone) }

  static func text(_ date: Date, _ zone: Int = 1) -> String {
    let local = date.addingTimeInterval(Double(zone * 3600)).ISO8601Format()
    let offset = (zone < 0 ? "-" : "+") + (abs(zone) < 10 ? "0" : "") + "\(abs(zone))00"
    return "\(local.prefix(10)) \(local.dropFirst(11).prefix(8)) \(offset)"
  }

  /// Writes a file, as if it had been written at that hour.
  @discardableResult
  func file(_ name: String, _ telling: Telling) throws -> String {
    let path = try program.file(name, telling.bytes)
    if let hour = telling.hour { try setModified(path, Self.time(hour)) }
    return path
  }

  /// Says it, and waits until the day has it.
  func tell(_ telling: Telling, _ options: String...) async throws {
    let folder = "in/\(UUID())"
    let file = try file(folder + "/p.json", telling)
    guard telling.way != .hub else { return try await post(telling) }
    let isFolder = [.collect, .queue].contains(telling.way)
    try await read(
      isFolder ? program.home.appending(path: folder).path : file, by: telling.way,
      telling.options + options)
  }

  /// Reads a file or a folder.
  func read(_ path: String, by way: StoryWay, _ options: [String] = []) async throws {
    switch way {
    case .put: try await run(["put", "--date", "all", "--input", path] + options)
    case .import: try await run(["import", path] + options)
    case .collect: try await run(["collect", "--catch-up", "3660", "--input", path] + options)
    case .queue, .hub:
      try await run(["collect", "--queue", "--input", path])
      try await derive()
    }
  }

  /// Uploads what is queued, and makes the days of the streams.
  func derive() async throws {
    try await run(["raw", "sync"])
    try await run(["collect", "--from-streams", "--catch-up", "3660"])
  }

  /// Queues a sample of a phone, uploads it, and makes its day.
  func stream(_ type: String, _ value: Double, _ unit: String, at hour: Int) async throws {
    let moments = [0.0, 300].map { Self.time(hour).addingTimeInterval($0).ISO8601Format() }
    let sample =
      #"{"sample_type":"HKQuantityTypeIdentifier\#(type)","uuid":"\#(UUID())","value":\#(value),"#
      + #""unit":"\#(unit)","source":"Phone","timestamp":"\#(moments[0])","#
      + #""end_timestamp":"\#(moments[1])"}"#
    try await program.succeeds(["raw", "add", "--stream", "healthkit"], input: sample)
    try await derive()
  }

  /// Posts it to a hub, which makes its days before it ends.
  private func post(_ telling: Telling) async throws {
    let kept = program.home.appending(path: "token")
    if !FileManager.default.fileExists(atPath: kept.path) {
      let token = try await HubProgram.token(
        "app", program, arguments: ["--app", "health-auto-export"])
      try Data(token.utf8).write(to: kept)
    }
    let token = try String(contentsOf: kept, encoding: .utf8)
    let hub = try await HubProgram(program, store: store[1], arguments: Array(store.dropFirst(2)))
    var arguments = [
      "--silent", "--show-error", "--max-time", "60", "--header", "X-Device-Token: \(token)",
      "--output", "/dev/null", "--write-out", "%{http_code}", "--data-binary", "@-",
    ]
    if let hour = telling.hour {
      arguments += ["--header", "automation-written-at: \(Self.time(hour).ISO8601Format())"]
    }
    let answer = try await Subprocess.run(
      .name("curl"), arguments: .init(arguments + [hub.url + "/health-auto-export/"]),
      input: .array(telling.bytes), output: .string(limit: 64), error: .string(limit: 4096))
    #expect(answer.standardOutput == "200", "\(answer.standardError)\(hub.log)")
    #expect(try await hub.end(by: SIGTERM) == 0, "\(hub.log)")
  }

  @discardableResult
  func run(_ arguments: [String]) async throws -> Program.Run {
    try await program.succeeds(arguments + store)
  }

  /// The numbers of a date; nil where it has none.
  func numbers(
    _ metrics: [String], on date: String = Story.date
  ) async throws -> [String: Double?] {
    let run = try await program.run(["get", date, "--output", "json"] + store)
    #expect(run.exitCode == 0 || run.exitCode == 66, "\(run)")
    let found = run.exitCode == 0 ? try run.json()["metrics"] as? [String: Any] : nil
    return Dictionary(uniqueKeysWithValues: metrics.map { ($0, found?[$0] as? Double) })
  }

  func steps(on date: String = Story.date) async throws -> Double? {
    try await numbers(["steps"], on: date)["steps"] ?? nil
  }

  func revisions(on date: String = Story.date) async throws -> Int {
    try await program.revisions(date, store)
  }

  /// The codes of what `verify` finds, but for the note that a source was read before the day was over.
  func findings() async throws -> [String] {
    let dates = ["--from", Self.date, "--to", Self.date]
    let found = try await program.run(["verify", "--output", "json"] + dates + store).json()
    return (found["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
      .filter { $0 != "partial" }
  }

  /// Says some things to a fresh store in this order, and to another in the other order. Both must show the same.
  static func eitherOrder(
    _ tellings: [Telling], _ server: TestServer? = nil, show expected: [String: Double?],
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    for order in [tellings, tellings.reversed()] {
      let story = try Story(server)
      for telling in order { try await story.tell(telling) }
      let found = try await story.numbers(Array(expected.keys))
      let isReversed = order.first?.bytes != tellings.first?.bytes
      #expect(found == expected, "reversed: \(isReversed)", sourceLocation: location)
      #expect(try await story.findings() == [], sourceLocation: location)
    }
  }
}

extension Story {
  /// What each number of a date is made of: the metric, the number, when it was captured, and its extent.
  func seen(on date: String) async throws -> [String] {
    let told = try await run(["get", date, "--explain", "--output", "json"]).json()
    return (told["metrics"] as? [[String: Any]] ?? []).flatMap { metric in
      (metric["shown"] as? [[String: Any]] ?? []).map { word in
        func text(_ name: String) -> String { word[name] as? String ?? "-" }
        return "\(metric["metric"] ?? "") \(word["value"] ?? "") read \(text("captured_at")), "
          + "\(text("from")) to \(text("to"))"
      }
    }
  }

  /// The newest revision of a folder: its file, and what it says.
  func newest() throws -> (file: URL, document: [String: Any]) {
    let folder = URL(filePath: store[1]).appending(path: "health/v0/data/2026/02/08/revisions")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let file = folder.appending(path: try #require(names.max()))
    let document = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
    return (file, try #require(document as? [String: Any]))
  }

  /// Writes the newest revision changed and without its digest, as an older version or a person does.
  ///
  /// - Parameters:
  ///   - hour: that of its new id, then without the members of this version; nil leaves both as they are.
  ///   - keeping: whether the revision stays beside the new one, without a pointer to it.
  func replaceNewest(
    at hour: Int?, keeping: Bool = false, keepsSources: Bool = false,
    _ change: (inout [String: Any]) -> Void
  ) throws {
    var (file, document) = try newest()
    document["digest"] = nil
    if let hour {
      if !keepsSources { (document["sources"], document["parent"]) = (nil, nil) }
      if !keeping { try FileManager.default.removeItem(at: file) }
      let folder = file.deletingLastPathComponent()
      let pointer = folder.deletingLastPathComponent().appending(path: "latest.json")
      if FileManager.default.fileExists(atPath: pointer.path) {
        try FileManager.default.removeItem(at: pointer)
      }
      let moment = Story.time(hour).ISO8601Format()
      document["generated_at"] = moment
      let id = moment.replacing("-", with: "").replacing(":", with: "")
      file = folder.appending(path: "\(id)-0A0B0C0D.json")
    }
    change(&document)
    try JSONSerialization.data(withJSONObject: document, options: [.sortedKeys]).write(to: file)
  }
}

extension [String: Any] {
  /// Changes the number of a metric in a revision.
  mutating func set(_ metric: String, to number: Double) {
    var metrics = self["metrics"] as? [String: Any] ?? [:]
    metrics[metric] = number
    self["metrics"] = metrics
  }
}
