import CommandLineKit
import Foundation
import HealthEvents
import HealthModel
import TestSupport
import Testing

@testable import s3health

/// The log, and the notifications that come with it.
@Suite(.process) struct LogCommandTests {
  private func folder(of program: TestSupport.Program) -> String {
    #if os(macOS)
      program.home.appending(path: "Library/Application Support/s3health").path
    #else
      program.home.appending(path: ".local/share/s3health").path
    #endif
  }

  @Test func `events are chosen by type and time, and shown as they are for programs`()
    async throws
  {
    let program = try TestSupport.Program()
    defer { program.removeHome() }
    let empty = try await program.run("status", "--log")
    #expect(empty.exitCode == 0 && empty.output == "" && empty.errors.contains("no events"))
    let log = EventLog(folder: folder(of: program))
    let now = Timestamp(secondsSince1970: Int(Date().timeIntervalSince1970))
    try log.append(
      LogEvent(
        .syncFailed, at: now.adding(seconds: -7200), "E003: 503", details: ["attempt": .number(2)]))
    try log.append(LogEvent(.syncSucceeded, at: now, "3 batches \u{1B}[31m"))
    let all = try await program.run("status", "--log").output
    #expect(all.contains("sync_failed        E003: 503  attempt=2\n"))
    #expect(!all.contains("\u{1B}"))
    #expect(try await program.run("status", "--log", "--since", "1h").output.contains("3 batches"))
    #expect(try await !program.run("status", "--log", "--since", "1h").output.contains("503"))
    let failed = try await program.run(
      "status", "--log", "--type", "sync_failed,push_failed", "-o", "json")
    #expect(try failed.json()["attempt"] as? Int == 2)
    let wrong = try await program.run("status", "--log", "--type", "sync_fail")
    #expect(wrong.exitCode == 64 && wrong.errors.contains("sync_failed"))
    #expect(try await program.run("status", "--log", "--since", "soon").exitCode == 64)
  }

  @Test func `the command gets event, title and message, once per change`() async throws {
    let program = try TestSupport.Program()
    defer { program.removeHome() }
    let out = program.home.appending(path: "told").path
    let command =
      #"printf '%s|%s|%s\n' "$S3HEALTH_EVENT" "$S3HEALTH_TITLE" "$S3HEALTH_MESSAGE" >> "#
    let settings = try StoreSettings(
      GivenSettings(),
      environment: [
        "HOME": program.home.path, "S3HEALTH_NOTIFY_COMMAND": command + "'\(out)'",
      ])
    let recorder = EventRecorder(settings)
    let now = Timestamp(secondsSince1970: 1_800_000_000)
    let failure = NotificationMachine.Event.failed(
      .push, reason: "$(touch /tmp/never); `id`", isOffline: false)
    for _ in 0..<3 { await recorder.notify([failure], at: now) }
    await recorder.notify([.succeeded(.push), .started(.push)], at: now)
    #expect(
      try String(contentsOfFile: out, encoding: .utf8) == """
        push_failed|s3health|s3health: Push failed, check network/Pushgateway: $(touch /tmp/never); `id`
        push_recovered|s3health|s3health: Push works again
        service_started|s3health|s3health: Push started

        """)
  }

  @Test func `a notification command that fails is logged, and stops nothing`() async throws {
    let program = try TestSupport.Program()
    defer { program.removeHome() }
    let recorder = EventRecorder(
      try StoreSettings(
        GivenSettings(),
        environment: ["HOME": program.home.path, "S3HEALTH_NOTIFY_COMMAND": "exit 3"]))
    await recorder.notify([.started(.sync)], at: Timestamp(secondsSince1970: 1_800_000_000))
    let log = try await program.run("status", "--log", "-o", "json").json()
    #expect(log["type"] as? String == "notification_failed")
    #expect(log["message"] as? String == "the notification command ended with exit code 3")
  }

  @Test(arguments: [("5h", false), ("6h", true), ("12h", true), ("13h", false), ("off", true)])
  func `notify_every is 6h to 12h, or off`(every: String, isValid: Bool) async throws {
    let program = try TestSupport.Program()
    defer { program.removeHome() }
    let file = program.home.appending(path: "config")
    try Data("notify_command = true\nnotify_every = \(every)\n".utf8).write(to: file)
    let run = try await program.run("status", "--log", "--config", file.path)
    #expect(run.exitCode == (isValid ? 0 : 64), "\(run.errors)")
    // It is checked when it is set, not first when there is a command.
    try Data().write(to: file)
    let set = try await program.run("config", "set", "notify_every", every, "--config", file.path)
    #expect(set.exitCode == (isValid ? 0 : 64), "\(set.errors)")
  }
}
