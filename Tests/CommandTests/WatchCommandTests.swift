import Foundation
import TestSupport
import Testing

private struct Missing: Error, CustomStringConvertible {
  let description: String
}

/// A running `watch` whose documents a test reads while it changes the source.
final class RunningWatch {
  private let process = Process()
  let output: URL
  let errors: URL

  init(_ program: Program, _ arguments: [String]) throws {
    output = program.home.appending(path: "watch-\(UUID()).out")
    errors = program.home.appending(path: "watch-\(UUID()).err")
    for file in [output, errors] {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    }
    process.executableURL = URL(filePath: Program.path)
    process.arguments = ["watch"] + arguments
    process.environment = program.environment.merging([
      "HOME": program.home.path, "PATH": "/usr/bin:/bin", "AWS_EC2_METADATA_DISABLED": "true",
    ]) { given, _ in given }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  var lines: [String] {
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    // The last line may be half written.
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  var documents: [[String: Any]] {
    lines.compactMap {
      (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
    }
  }

  /// Waits for a document that a condition holds for, after so many others.
  func document(
    after count: Int = 0, _ what: String, _ holds: ([String: Any]) -> Bool
  ) async throws -> [String: Any] {
    for _ in 0..<1200 {
      if let found = documents.dropFirst(count).first(where: holds) { return found }
      guard process.isRunning else { break }
      try await Task.sleep(for: .milliseconds(50))
    }
    let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    throw Missing(description: "no document with \(what) in \(lines) \(said)")
  }

  /// Ends it as Ctrl-C does. Returns the exit code as shells see it.
  func interrupt() -> Int {
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
      ? 128 + Int(process.terminationStatus) : Int(process.terminationStatus)
  }
}

/// `watch`: today as it happens (R58).
@Suite(.server) struct WatchCommandTests {
  func program() throws -> Program { try Program(["S3HEALTH_TIMEZONE": "UTC"]) }

  func steps(_ document: [String: Any], _ member: String = "today") -> Double? {
    (document[member] as? [String: Any])?["steps"] as? Double
  }

  @Test func `R58: --once shows today beside yesterday and the week, in each form`() async throws {
    let program = try program()
    let folder = try program.file("in/a.json", watchSteps([0: 8537, 1: 9100, 3: 9300]))
    let source = URL(filePath: folder).deletingLastPathComponent().path
    let text = try await program.succeeds(
      ["watch", source, "--once"], printing: "8,537 of 10,000 steps", "85 %")
    #expect(!text.output.contains("\u{1B}") && !text.output.contains("LIVE"))
    #expect(text.output.contains("8,537      9,100      9,200"))
    let document = try await program.succeeds(["watch", source, "--once", "-o", "json"]).json()
    #expect(steps(document) == 8537 && steps(document, "yesterday") == 9100)
    #expect(steps(document, "week_average") == 9200)
    #expect(document["step_progress"] as? Double == 0.8537)
    #expect(document["goal_reached"] as? Bool == false && document["is_live"] as? Bool == true)
    let told = try Document("docs/OUTPUT.md").text
    for member in document.keys { #expect(told.contains("`\(member)`"), "\(member)") }
    // What the store has of the days before counts more than the source.
    _ = try await program.succeeds(
      ["put", "--input", "-", "--date", "all"], input: watchSteps([1: 9500]))
    let stored = try await program.succeeds(["watch", source, "--once", "-o", "json"]).json()
    #expect(steps(stored, "yesterday") == 9500 && steps(stored, "week_average") == 9400)
  }

  @Test func `the goal is kept, and a wrong one is refused (R58)`() async throws {
    let program = try program()
    let file = try program.file("in/a.json", watchSteps([0: 8537]))
    _ = try await program.succeeds(["watch", file, "--once", "--step-goal", "8000"])
    try await program.succeeds(
      ["watch", file, "--once"], printing: "8,537 of 8,000 steps", "Goal reached!")
    try await program.run(
      ["watch", file, "--once", "--step-goal", "0"], ends: 64,
      saying: "--step-goal must be 1 to 1000000")
    var other = program
    other.environment["S3HEALTH_STEP_GOAL"] = "many"
    try await other.refuses(["watch", file, "--once"], saying: "S3HEALTH_STEP_GOAL", "\"many\"")
  }

  @Test func `a file that is added, cut, replaced and away shows as it is (R58)`() async throws {
    let program = try program()
    let file = try program.file("in/a.json", watchSteps([0: 100]))
    let folder = URL(filePath: file).deletingLastPathComponent().path
    let watch = try RunningWatch(program, [folder, "-o", "json"])
    _ = try await watch.document("100 steps") { steps($0) == 100 }
    // Another file.
    _ = try program.file("in/b.json", watchSteps([1: 50]))
    _ = try await watch.document("yesterday") { steps($0, "yesterday") == 50 }
    // Half of a file: the numbers stay, and are not said to be live.
    let whole = watchSteps([0: 200])
    try Data(whole.prefix(60)).write(to: URL(filePath: file))
    let half = try await watch.document("a note") { $0["is_live"] as? Bool == false }
    #expect(steps(half) == 100 && (half["notes"] as? [String])?.isEmpty == false)
    // The rest of it.
    try Data(whole).write(to: URL(filePath: file))
    _ = try await watch.document("200 steps") {
      steps($0) == 200 && $0["is_live"] as? Bool == true
    }
    // Replaced by another one, as most programs write.
    try Data(watchSteps([0: 300])).write(to: URL(filePath: file), options: .atomic)
    _ = try await watch.document("300 steps") { steps($0) == 300 }
    // The whole folder is away, and back with more.
    let away = folder + ".away"
    try FileManager.default.moveItem(atPath: folder, toPath: away)
    let count = watch.documents.count
    _ = try await watch.document(after: count, "a note") { $0["is_live"] as? Bool == false }
    try Data(watchSteps([0: 400])).write(to: URL(filePath: away + "/a.json"))
    try FileManager.default.moveItem(atPath: away, toPath: folder)
    _ = try await watch.document("400 steps") {
      steps($0) == 400 && $0["is_live"] as? Bool == true
    }
    #expect(watch.interrupt() == 130)
  }

  @Test func `a change is published once, at the latest when the view ends (R58)`() async throws {
    let program = try program()
    let file = try program.file("in/a.json", watchSteps([0: 100, 2: 70]))
    let watch = try RunningWatch(program, [file, "--publish", "-o", "json"])
    for count in [200, 300, 400] {
      try Data(watchSteps([0: count, 2: 70])).write(to: URL(filePath: file), options: .atomic)
      _ = try await watch.document("\(count) steps") { steps($0) == Double(count) }
    }
    #expect(watch.interrupt() == 130)
    let days = try await program.succeeds(["get", "3d", "-o", "json"]).json()
    let found = (days["days"] as? [[String: Any]])?.map {
      ($0["metrics"] as? [String: Any])?["steps"] as? Double
    }
    #expect(found == [70, 400])
    let history = try await program.succeeds(["get", date(0), "--history", "-o", "json"]).json()
    // One revision, or two if the machine was so slow that ten seconds passed.
    #expect((1...2).contains((history["revisions"] as? [Any])?.count ?? 0))
  }

  @Test func `a terminal gets the view, and is given back (R58)`() async throws {
    var program = try program()
    let file = try program.file("in/a.json", watchSteps([0: 10_250, 1: 9100]))
    for columns in [60, 80, 200] {
      program.environment["NO_COLOR"] = columns == 60 ? "1" : ""
      let run = try await program.wrapped(by: "terminal.py", "\(columns)", "--until", "10,250")
        .run(["watch", file], ends: 130)
      // Into another screen without a cursor, and back.
      #expect(run.output.hasPrefix("\u{1B}[?1049h\u{1B}[?25l"))
      #expect(run.output.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
      #expect(run.output.contains("LIVE") && run.output.contains("Goal reached!"))
      #expect(run.output.contains("\u{1B}[32m") == (columns != 60))
      let plain = run.output.replacing("\u{1B}[H", with: "\n").replacing(
        #/\x1B\[[?0-9;]*[a-zA-Z]/#, with: "")
      // `\r\n` is one character.
      let lines = plain.split(whereSeparator: \.isNewline)
      // One view at least; how many there were depends on when it was interrupted.
      #expect(lines.count >= 8)
      #expect(lines.allSatisfy { $0.count <= columns }, "\(plain)")
    }
  }
}
