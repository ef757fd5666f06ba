import CommandLineKit
import Foundation
import HealthLedger
import Subprocess

/// What runs jobs on this machine: its files for a job, and its commands.
enum ScheduleSystem: String {
  /// A service and a timer for the user's own manager (systemd.service(5), systemd.timer(5)).
  case systemd
  /// An agent (launchd.plist(5)).
  case launchd

  static var native: ScheduleSystem {
    #if os(macOS)
      .launchd
    #else
      .systemd
    #endif
  }

  /// The folder of the user of this process for such files.
  var folder: String {
    let environment = ProcessInfo.processInfo.environment
    let home = UserDirectories(environment: environment).home
    guard self == .systemd else { return home + "/Library/LaunchAgents" }
    let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (configuration ?? home + "/.config") + "/systemd/user"
  }

  // MARK: - Files

  struct File: Hashable {
    let name: String
    let text: String
  }

  func files(_ plan: JobPlan) -> [File] {
    zip(names(plan.job), self == .systemd ? [Self.service(plan), Self.timer(plan)] : [agent(plan)])
      .map { File(name: $0, text: $1) }
  }

  /// The names of a job's files, whatever they hold.
  private func names(_ job: ScheduledJob) -> [String] {
    (self == .systemd ? [".service", ".timer"] : [".plist"]).map { name(of: job) + $0 }
  }

  private func name(of job: ScheduledJob) -> String {
    (self == .systemd ? "s3health-" : "s3health.") + job.rawValue
  }

  private static func service(_ plan: JobPlan) -> String {
    // A program's path has specifiers, and no variables.
    let program = "\"\(plan.program.replacing("%", with: "%%"))\""
    let line = ([program] + plan.command.dropFirst().map(quoted)).joined(separator: " ")
    return """
      [Unit]
      Description=\(plan.purpose)

      [Service]
      Type=oneshot
      ExecStart=\(line)
      TimeoutStartSec=1h
      Nice=10
      UMask=0077
      NoNewPrivileges=yes

      """
  }

  private static func timer(_ plan: JobPlan) -> String {
    let when =
      switch plan.timing {
      case .every(let seconds): "OnActiveSec=1min\nOnUnitInactiveSec=\(seconds)s"
      case .daily(let hour, let minute):
        "OnCalendar=*-*-* \(JobTiming.clock(hour, minute)):00\nPersistent=true"
      }
    return """
      [Unit]
      Description=\(plan.purpose), \(plan.timing.words)

      [Timer]
      \(when)
      AccuracySec=30s

      [Install]
      WantedBy=timers.target

      """
  }

  /// Whether systemd takes a program of this path: it wants neither quotes nor backslashes there.
  func takes(program: String) -> Bool {
    self == .launchd
      || !program.unicodeScalars.contains { "\"'\\".unicodeScalars.contains($0) || $0.isControl }
  }

  /// An argument in the quoting of systemd.syntax(7), with specifiers and variables as plain text.
  static func quoted(_ argument: String) -> String {
    let escapes: [Unicode.Scalar: String] = [
      "%": "%%", "$": "$$", "\\": #"\\"#, "\"": #"\""#, "\n": #"\n"#, "\t": #"\t"#,
    ]
    let text = argument.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    let isPlain = argument.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
    }
    return isPlain ? text : "\"\(text)\""
  }

  private func agent(_ plan: JobPlan) -> String {
    let arguments = plan.command.map { argument in
      let text = argument.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        .replacing(">", with: "&gt;")
      return "    <string>\(text)</string>"
    }
    // launchd makes up one run for all that a sleeping machine missed.
    let when =
      switch plan.timing {
      case .every(let seconds):
        """
          <key>StartInterval</key>
          <integer>\(seconds)</integer>
        """
      case .daily(let hour, let minute):
        """
          <key>StartCalendarInterval</key>
          <dict>
            <key>Hour</key>
            <integer>\(hour)</integer>
            <key>Minute</key>
            <integer>\(minute)</integer>
          </dict>
        """
      }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>Label</key>
        <string>\(name(of: plan.job))</string>
        <key>ProgramArguments</key>
        <array>
      \(arguments.joined(separator: "\n"))
        </array>
      \(when)
        <key>ProcessType</key>
        <string>Background</string>
        <key>LowPriorityIO</key>
        <true/>
        <key>Umask</key>
        <integer>63</integer>
      </dict>
      </plist>

      """
  }

  // MARK: - Commands

  /// Whether an installed job will run again by itself; nil if it is not installed.
  func isActive(_ job: ScheduledJob) async -> Bool? {
    let isInstalled = names(job).allSatisfy {
      FileManager.default.fileExists(atPath: "\(folder)/\($0)")
    }
    guard isInstalled else { return nil }
    let question =
      self == .systemd
      ? ["systemctl", "--user", "is-active", "--quiet", name(of: job) + ".timer"]
      : ["launchctl", "print", "\(Self.domain)/\(name(of: job))"]
    return await Self.run(question) == nil
  }

  /// The commands that make jobs run from now on, in their order.
  func starting(_ jobs: [ScheduledJob]) -> [[String]] {
    guard self == .systemd else {
      return jobs.map { ["launchctl", "bootstrap", Self.domain, "\(folder)/\(names($0)[0])"] }
    }
    let timers = jobs.map { name(of: $0) + ".timer" }
    // `enable --now` leaves a timer that runs already as it was.
    return [
      Self.reload, ["systemctl", "--user", "enable", "--now"] + timers,
      ["systemctl", "--user", "restart"] + timers,
    ]
  }

  /// Ends a job's runs. One that does not run can't be stopped, and need not be.
  func stop(_ job: ScheduledJob) async {
    _ = await Self.run(
      self == .systemd
        ? ["systemctl", "--user", "disable", "--now", name(of: job) + ".timer"]
        : ["launchctl", "bootout", "\(Self.domain)/\(name(of: job))"])
  }

  /// Stops a job and deletes its files; false if it was not installed.
  func remove(_ job: ScheduledJob) async throws(LedgerError) -> Bool {
    let files = names(job).map { "\(folder)/\($0)" }
      .filter { FileManager.default.fileExists(atPath: $0) }
    guard !files.isEmpty else { return false }
    await stop(job)
    for file in files where unlink(file) != 0 {
      throw LedgerError(
        .storageUnavailable, "\(file) can't be deleted: \(String(cString: strerror(errno)))",
        remedy: "delete the file")
    }
    if self == .systemd { _ = await Self.run(Self.reload) }
    return true
  }

  private static let reload = ["systemctl", "--user", "daemon-reload"]
  private static var domain: String { "gui/\(getuid())" }

  /// Runs a command of the system; why it failed, or nil.
  static func run(_ command: [String]) async -> String? {
    do {
      let result = try await Subprocess.run(
        .name(command[0]), arguments: .init(Array(command.dropFirst())), output: .discarded,
        error: .string(limit: 4096))
      guard case .exited(0) = result.terminationStatus else {
        let said = result.standardError.split(whereSeparator: \.isNewline).first ?? "it failed"
        return String(said)
      }
      return nil
    } catch {
      return "\(command[0]) can't be run"
    }
  }
}
