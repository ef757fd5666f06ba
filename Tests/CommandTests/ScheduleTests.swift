import Foundation
import Subprocess
import TestSupport
import Testing

@testable import s3health

/// `schedule`: files that the system's own checkers take (SN-1).
@Suite struct ScheduleTests {
  private static let timings: [JobTiming] = [.usual, .daily(hour: 3, minute: 5)]

  private func plan(
    _ job: ScheduledJob, _ timing: JobTiming = .usual, program: String = "/usr/bin/s3health",
    configuration: String? = nil
  ) -> JobPlan {
    JobPlan(job: job, program: program, timing: timing, configuration: configuration)
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
    @Test func `SN-1: systemd takes the units, with strange paths too`() async throws {
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
          let files = SystemdUnits.files(
            plan(job, timing, program: binary, configuration: strange.path + #"/"e" \f '"#))
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

    @Test func `SN-1: what systemd would replace in an argument is doubled`() {
      #expect(SystemdUnits.quoted("/a 50%h/$USER") == #""/a 50%%h/$$USER""#)
      #expect(SystemdUnits.quoted("sync") == "sync")
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

  @Test func `SN-1: launchd's agents are property lists, with strange paths too`() async throws {
    let script = """
      import plistlib, sys
      plist = plistlib.loads(sys.stdin.buffer.read())
      print(plist["Label"], plist["ProgramArguments"], plist.get("StartInterval"),
            plist.get("StartCalendarInterval"), plist["Umask"])
      """
    let program = "/a <b> & \"c\"/s3health"
    for timing in Self.timings {
      let file = try #require(LaunchAgent.files(plan(.sync, timing, program: program)).first)
      let result = try await Subprocess.run(
        .name("python3"), arguments: ["-c", script], input: .string(file.text),
        output: .string(limit: 4096), error: .string(limit: 4096))
      #expect(result.terminationStatus == .exited(0), "\(result.standardError)")
      let when = timing == .usual ? "300 None" : "None {'Hour': 3, 'Minute': 5}"
      #expect(
        result.standardOutput
          == "s3health.sync ['/a <b> & \"c\"/s3health', 'sync', '--quiet'] \(when) 63\n")
    }
  }

  @Test func `the files of the repository are what the program writes`() throws {
    let root = ProjectTree.root.appending(path: "packaging")
    for job in ScheduledJob.allCases {
      let expected =
        SystemdUnits.files(plan(job)).map { ("systemd/\($0.name)", $0.text) }
        + LaunchAgent.files(plan(job, program: "/usr/local/bin/s3health")).map {
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
