import Foundation
import Subprocess
import TestSupport
import Testing

@testable import s3health

/// `schedule`: files that the system's own checkers take.
@Suite(.process) struct ScheduleTests {
  private static let timings: [JobTiming] = [.usual, .daily(hour: 3, minute: 5)]

  private func plan(
    _ job: ScheduledJob, _ timing: JobTiming = .usual, before: JobPlan.Collection? = nil,
    program: String = "/usr/bin/s3health",
    configuration: String? = nil
  ) -> JobPlan {
    JobPlan(
      job: job, before: job == .sync ? before : nil, program: program, timing: timing,
      configuration: configuration)
  }

  /// What a command prints on both streams.
  private func said(
    _ command: [String], _ environment: [String: String] = [:]
  ) async throws -> (isGood: Bool, text: String) {
    var variables = Subprocess.Environment.inherit
    for (name, value) in environment {
      variables = variables.updating([.init(stringLiteral: name): value])
    }
    let result = try await Subprocess.run(
      command[0].hasPrefix("/") ? .path(.init(command[0])) : .name(command[0]),
      arguments: .init(Array(command.dropFirst())), environment: variables,
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    return (result.terminationStatus == .exited(0), result.standardOutput + result.standardError)
  }

  #if os(Linux)
    @Test func `systemd takes the units, with strange paths too`() async throws {
      let program = try TestSupport.Program()
      defer { program.removeHome() }
      // It wants the programs to exist; it exits with 0 on most faults, and names them.
      let strange = program.home.appending(path: "a $b ${c} %d")
      try FileManager.default.createDirectory(at: strange, withIntermediateDirectories: true)
      let binary = strange.appending(path: "s3health").path
      try FileManager.default.createSymbolicLink(atPath: binary, withDestinationPath: "/bin/true")
      for job in ScheduledJob.allCases {
        for timing in Self.timings {
          var paths: [String] = []
          let files = ScheduleSystem.systemd.files(
            plan(
              job, timing, before: .queue, program: binary,
              configuration: strange.path + #"/"e" \f '"#))
          for file in files {
            paths.append(program.home.appending(path: file.name).path)
            try Data(file.text.utf8).write(to: URL(filePath: paths[paths.count - 1]))
          }
          let runtime = ["XDG_RUNTIME_DIR": program.home.path]
          let good = try await said(["systemd-analyze", "--user", "verify"] + paths, runtime)
          #expect(good.isGood && good.text == "", "\(good.text)")
          try Data(files[1].text.replacing("AccuracySec", with: "AccurateSec").utf8)
            .write(to: URL(filePath: paths[1]))
          let bad = try await said(["systemd-analyze", "--user", "verify"] + paths, runtime)
          #expect(bad.text.contains("AccurateSec"))
        }
      }
    }

    @Test func `what systemd would replace in an argument is doubled`() {
      #expect(ScheduleSystem.quoted("/a 50%h/$USER") == #""/a 50%%h/$$USER""#)
      #expect(ScheduleSystem.quoted("sync") == "sync")
    }

    @Test func `one unit collects from the configured source, and then uploads`() async throws {
      let program = try TestSupport.Program()
      defer { program.removeHome() }
      let alone = try await program.run("schedule", "install", "--dry-run")
      #expect(alone.exitCode == 0 && alone.output.contains("s3health\" raw sync --quiet\n"))
      #expect(alone.errors.contains("no source is configured"), "\(alone.errors)")

      let folder = try program.folder("in").path
      _ = try program.file("in/a.json", Array(#"{"data":{"metrics":[]}}"#.utf8))
      _ = try program.file(".config/s3health/config", Array("source = \(folder)\n".utf8))
      let both = try await program.run("schedule", "install", "--dry-run")
      #expect(both.output.contains("s3health\" raw sync --collect --quiet\n"), "\(both.errors)")
      #expect(both.output.split(separator: "\n").count { $0.hasSuffix(".timer") } == 1)
      #expect(!both.output.contains("s3health-collect"))
      let raw = try await program.run("schedule", "install", "--queue", "--dry-run")
      #expect(raw.output.contains("s3health\" raw sync --queue --quiet\n"), "\(raw.errors)")
      #expect(try await program.run("schedule", "install", "push", "--queue").exitCode == 64)
    }

    @Test func `a schedule whose runs would lack what only this shell has is refused`() async throws
    {
      var program = try TestSupport.Program()
      defer { program.removeHome() }
      let gone = program.home.appending(path: "gone.zip").path
      func refused(_ jobs: [String], _ phrases: [String]) async throws {
        let run = try await program.run(["schedule", "install"] + jobs)
        #expect(run.exitCode == 64 && run.output == "", "\(run.output)")
        for phrase in phrases { #expect(run.errors.contains(phrase), "\(run.errors)") }
        let units = program.home.appending(path: ".config/systemd/user").path
        #expect(!FileManager.default.fileExists(atPath: units))
      }
      try await refused(["collect"], ["no source is configured"])
      try await refused(["push"], ["no gateway is configured"])
      program.environment = ["S3HEALTH_SOURCE": gone, "S3HEALTH_STORE": program.home.path]
      try await refused(
        ["collect"],
        [
          "S3HEALTH_SOURCE is set in this shell alone; write `source = \(gone)` to ",
          "S3HEALTH_STORE is set in this shell alone",
        ])
      // The usual job would collect as well, if it knew of the source.
      try await refused([], ["S3HEALTH_SOURCE is set in this shell alone"])
      let lines = "store = s3://health/me\nregion = eu-1\nsource = \(gone)\n"
      _ = try program.file(".config/s3health/config", Array(lines.utf8))
      program.environment = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "very-secret"]
      try await refused(
        [], ["the bucket's keys are in variables of this shell alone", "can't be read", gone])
      #expect(try await !program.run("schedule", "install").errors.contains("very-secret"))
      // The control: with the keys and the source where a run finds them, nothing stands against it.
      let keys = "[default]\naws_access_key_id=key\naws_secret_access_key=very-secret\n"
      _ = try program.file(".aws/credentials", Array(keys.utf8))
      _ = try program.file("gone.zip", Array(#"{"data":{"metrics":[]}}"#.utf8))
      let run = try await program.run("schedule", "install", "--dry-run")
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(run.errors.contains("AWS_ACCESS_KEY_ID"), "\(run.errors)")
    }

    @Test func `a schedule that does not start names every unit`() async throws {
      var program = try TestSupport.Program()
      defer { program.removeHome() }
      program.environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]
      let run = try await program.run("schedule", "install", "collect", "sync", "--force")
      #expect(run.exitCode == 69)
      #expect(
        run.errors.contains(
          "systemctl --user enable --now s3health-collect.timer s3health-sync.timer"),
        "\(run.errors)")
      // The next one collects itself: the older job would collect a second time.
      let source = try program.folder("in").path
      _ = try program.file("in/a.json", Array(#"{"data":{"metrics":[]}}"#.utf8))
      _ = try program.file(".config/s3health/config", Array("source = \(source)\n".utf8))
      let next = try await program.run("schedule", "install")
      #expect(next.output.contains("collect: removed, because sync collects now"), "\(next.errors)")
      let units = program.home.appending(path: ".config/systemd/user").path
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: units).sorted()
          == ["s3health-sync.service", "s3health-sync.timer"])
    }

    @Test func `installing writes the files, and says what to do where systemd does not answer`()
      async throws
    {
      var program = try TestSupport.Program()
      defer { program.removeHome() }
      program.environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]
      let before = try await program.run("schedule", "status", "-o", "json")
      #expect(before.exitCode == 0 && before.output.contains(#""installed":false"#))
      let run = try await program.run("schedule", "install", "sync", "--every", "15m")
      #expect(run.exitCode == 69)
      #expect(run.errors.contains("systemctl --user enable --now s3health-sync.timer"))
      let folder = program.home.appending(path: ".config/systemd/user").path
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
          == ["s3health-sync.service", "s3health-sync.timer"])
      let timer = try String(contentsOfFile: folder + "/s3health-sync.timer", encoding: .utf8)
      #expect(timer.contains("OnUnitInactiveSec=900s"))
      let status = try await program.run("schedule", "status")
      #expect(status.exitCode == 1 && status.output.contains("sync     installed, not active"))
      #expect(try await program.run("schedule", "remove").output.contains("sync: removed"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  #endif

  @Test func `launchd's agents are property lists, with strange paths too`() async throws {
    let script = """
      import plistlib, sys
      plist = plistlib.loads(sys.stdin.buffer.read())
      print(plist["Label"], plist["ProgramArguments"], plist.get("StartInterval"),
            plist.get("StartCalendarInterval"), plist["Umask"])
      """
    let program = "/a <b> & \"c\"/s3health"
    for timing in Self.timings {
      let file = try #require(
        ScheduleSystem.launchd.files(plan(.sync, timing, program: program)).first)
      let result = try await Subprocess.run(
        .name("python3"), arguments: ["-c", script], input: .string(file.text),
        output: .string(limit: 4096), error: .string(limit: 4096))
      #expect(result.terminationStatus == .exited(0), "\(result.standardError)")
      let when = timing == .usual ? "300 None" : "None {'Hour': 3, 'Minute': 5}"
      #expect(
        result.standardOutput
          == "s3health.sync ['/a <b> & \"c\"/s3health', 'raw', 'sync', '--quiet'] \(when) 63\n")
    }
  }

  @Test func `the files of the repository are what the program writes`() throws {
    let root = ProjectTree.root.appending(path: "packaging")
    for job in ScheduledJob.allCases {
      let expected =
        ScheduleSystem.systemd.files(plan(job)).map { ("systemd/\($0.name)", $0.text) }
        + ScheduleSystem.launchd.files(plan(job, program: "/usr/local/bin/s3health")).map {
          ("launchd/\($0.name)", $0.text)
        }
      for (name, text) in expected {
        #expect(
          try String(contentsOf: root.appending(path: name), encoding: .utf8) == text, "\(name)")
      }
    }
  }

  @Test(arguments: ["24:00", "3", "03:60", "-1:00", "٣:٠٠", "03:00:00"])
  func `a wrong time of day is refused`(time: String) async throws {
    let program = try TestSupport.Program()
    defer { program.removeHome() }
    let run = try await program.run("schedule", "install", "--dry-run", "--daily", time)
    #expect(run.exitCode == 64 && run.output == "")
  }
}
