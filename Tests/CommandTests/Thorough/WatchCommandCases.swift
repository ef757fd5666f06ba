import Foundation
import TestSupport
import Testing

/// Further sources and windows of a live view (R58).
extension WatchCommandTests {
  @Test(arguments: [40, 60])
  func `R58: a name that is long for the window has lines of its own`(columns: Int) async throws {
    let program = try program()
    let rows = #"[{"date":"\#(date(0)) 09:00:00 +0000","qty":41,"source":"W"}]"#
    let metrics = ["heart_rate_variability", "resting_heart_rate"].map {
      #"{"name":"\#($0)","units":"ms","data":\#(rows)}"#
    }
    let file = try program.file(
      "in/a.json",
      Array(
        #"{"data":{"metrics":[\#(metrics[0]),\#(metrics[1].replacing("\"ms\"", with: "\"bpm\""))]}}"#
          .utf8))
    let run = try await program.onTerminal(columns: columns).run(["watch", file, "--once"])
    let lines = run.output.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
      .split(whereSeparator: \.isNewline).map(String.init)
    #expect(run.exitCode == 0 && lines.allSatisfy { $0.count <= columns }, "\(lines)")
    let words = lines.joined(separator: " ").split(whereSeparator: \.isWhitespace)
    for word in ["variability", "resting"] {
      #expect(words.contains { $0.hasPrefix(word) }, "\(lines)")
    }
    #expect(words.count { $0 == "41" } == 2, "\(lines)")
  }

  @Test func `R58: people read the settings' units, in the live view and a dry run`() async throws {
    var program = try program()
    program.environment["S3HEALTH_UNITS"] = "kJ, mi"
    func metric(_ name: String, _ unit: String, _ number: Double) -> String {
      #"{"name":"\#(name)","units":"\#(unit)","data":[{"date":"\#(date(0)) 00:00:00 +0000","#
        + #""qty":\#(number),"source":"W"}]}"#
    }
    let metrics = [
      metric("walking_running_distance", "km", 8.04672), metric("active_energy", "kcal", 100),
    ]
    let file = try program.file(
      "in/a.json", #"{"data":{"metrics":[\#(metrics.joined(separator: ","))]}}"#)
    let dry = try await program.succeeds(["import", file, "--dry-run"]).output
    #expect(dry.contains("kJ") && dry.contains("418.4") && !dry.contains("kcal"), "\(dry)")
    let text = try await program.succeeds(["watch", file, "--once"]).output
    #expect(text.contains(", mi") && text.contains("5.0") && text.contains("418"), "\(text)")
    let document = try await program.succeeds(["watch", file, "--once", "-o", "json"]).json()
    let today = try #require(document["today"] as? [String: Any])
    #expect(today["active_energy_kcal"] as? Double == 100, "documents stay as they are")
  }

  @Test func `R58: without data, source or path it says which`() async throws {
    let program = try program()
    let file = try program.file("in/a.json", watchSteps([1: 9100]))
    try await program.fails(
      ["watch", file, "--once"], as: .dataNotFound, saying: "no data for \(date(0)) yet")
    try await program.refuses(["watch", "/nowhere/at/all"], saying: "does not exist")
    try await program.refuses(["watch"], saying: "no source is configured")
    try await program.refuses(["watch", "-"], saying: "stdin")
  }

  @Test func `R58: a store that is away hides the days before, until it is back`() async throws {
    let program = try program()
    let file = try program.file("in/a.json", watchSteps([0: 100]))
    let store = program.home.appending(path: "disk").path
    // A link in the place of its folder is not followed.
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: false)
    let obstacle = store + "/health"
    try FileManager.default.createSymbolicLink(atPath: obstacle, withDestinationPath: "elsewhere")
    let watch = try RunningWatch(program, [file, "-o", "json", "--store", store])
    let without = try await watch.document("a note of the store") {
      steps($0) == 100 && ($0["notes"] as? [String])?.isEmpty == false
    }
    #expect(without["is_live"] as? Bool == true)
    try FileManager.default.removeItem(atPath: obstacle)
    _ = try await program.succeeds(
      ["put", "--store", store, "--input", "-", "--date", "all"], input: watchSteps([1: 9500]))
    let with = try await watch.document("yesterday") { steps($0, "yesterday") == 9500 }
    #expect((with["notes"] as? [String]) == [])
    #expect(watch.interrupt() == 130)
  }

  @Test func `R58: into a pipe goes a line for each change, without escapes`() async throws {
    let program = try program()
    let file = try program.file("in/a.json", watchSteps([0: 8537]))
    let watch = try RunningWatch(program, [file])
    for _ in 0..<1200 where watch.lines.isEmpty { try await Task.sleep(for: .milliseconds(50)) }
    #expect(watch.lines.first?.hasSuffix("  8,537 steps, 85 % of the goal") == true)
    try Data(watchSteps([0: 10_000])).write(to: URL(filePath: file))
    for _ in 0..<1200 where watch.lines.last?.contains("10,000") != true {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(watch.lines.last?.hasSuffix("10,000 steps, 100 % of the goal  Goal reached!") == true)
    #expect(!watch.lines.joined().contains("\u{1B}"))
    #expect(watch.interrupt() == 130)
  }

  @Test(arguments: [nil] + TestServer.one)
  func `R58: samples of the streams are watched, and count once`(server: TestServer?) async throws {
    var program = try program()
    if let server { program = program.on(server) }
    let store = server?.arguments(prefix: "watch/\(UUID())") ?? []
    func sample(_ id: Int, _ value: Int, _ device: String) -> String {
      let start = date(0) + "T00:00:00.000Z"
      return
        #"{"sample_type":"HKQuantityTypeIdentifierStepCount","uuid":"00000000-0000-4000-8000-00000000000\#(id)","timestamp":"\#(start)","end_timestamp":"\#(start)","value":\#(value),"unit":"count","source":"\#(device)"}"#
        + "\n"
    }
    func upload(_ samples: String) async throws {
      _ = try await program.succeeds(
        ["raw", "add", "--stream", "apple_ios_healthkit"], input: samples)
      _ = try await program.succeeds(["raw", "sync"] + store)
    }
    try await upload(sample(1, 10, "Ann's iPhone"))
    let watch = try RunningWatch(program, ["streams", "-o", "json"] + store)
    _ = try await watch.document("10 steps") { steps($0) == 10 }
    // The watch saw the same minute.
    try await upload(sample(2, 12, "Ann's Watch"))
    _ = try await watch.document("12 steps") { steps($0) == 12 }
    try await upload(sample(3, 30, "Ann's Watch"))
    _ = try await watch.document("42 steps") { steps($0) == 42 }
    #expect(watch.interrupt() == 130)
  }

  /// So many at once, because a signal was lost only where threads had to wait for a processor.
  @Test func `Ctrl-C that is typed as soon as there is a view ends it (R58)`() async throws {
    let original = try program()
    let file = try original.file("in/a.json", watchSteps([0: 10_250]))
    let program = try original.wrapped(by: "terminal.py", "80", "--until", "\u{1B}[?1049h")
    try await withThrowingTaskGroup { group in
      for _ in 0..<40 {
        group.addTask { try await program.run(["watch", file], ends: 130) }
      }
      try await group.waitForAll()
    }
  }
}
