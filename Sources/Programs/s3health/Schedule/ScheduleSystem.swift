import CommandLineKit
import Foundation
import HealthLedger
import Subprocess

/// What runs jobs on this machine, and where its files are.
enum ScheduleSystem: String, CaseIterable {
  case systemd
  case launchd

  /// The one of this operating system.
  static var native: ScheduleSystem {
    #if os(macOS)
      .launchd
    #else
      .systemd
    #endif
  }

  func files(_ plan: JobPlan) -> [ScheduleFile] {
    switch self {
    case .systemd: SystemdUnits.files(plan)
    case .launchd: LaunchAgent.files(plan)
    }
  }

  /// The names of a job's files, whatever they hold.
  func fileNames(_ job: ScheduledJob) -> [String] {
    files(JobPlan(job: job, program: "", timing: .usual, configuration: nil)).map(\.name)
  }

  /// The user's folder for such files.
  func folder(_ environment: [String: String], home: String) -> String {
    switch self {
    case .systemd:
      let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      return (configuration ?? home + "/.config") + "/systemd/user"
    case .launchd: return home + "/Library/LaunchAgents"
    }
  }

  /// The folder of the user of this process.
  var folder: String {
    let environment = ProcessInfo.processInfo.environment
    return folder(environment, home: UserDirectories(environment: environment).home)
  }

  /// Whether an installed job will run again by itself; nil if it is not installed.
  func isActive(_ job: ScheduledJob, in folder: String) async -> Bool? {
    let isInstalled = fileNames(job).allSatisfy {
      FileManager.default.fileExists(atPath: "\(folder)/\($0)")
    }
    return isInstalled ? await Self.run(asking(job)) == nil : nil
  }

  /// The commands that make a job run from now on, in their order.
  func starting(_ job: ScheduledJob, in folder: String) -> [[String]] {
    switch self {
    case .systemd:
      [
        ["systemctl", "--user", "daemon-reload"],
        ["systemctl", "--user", "enable", "--now", SystemdUnits.name(of: job) + ".timer"],
        // `enable --now` leaves a timer that runs already as it was.
        ["systemctl", "--user", "restart", SystemdUnits.name(of: job) + ".timer"],
      ]
    case .launchd:
      [
        [
          "launchctl", "bootstrap", "gui/\(getuid())",
          "\(folder)/\(LaunchAgent.label(of: job)).plist",
        ]
      ]
    }
  }

  /// The commands that end a job's runs. They fail where it does not run.
  func stopping(_ job: ScheduledJob) -> [[String]] {
    switch self {
    case .systemd:
      [["systemctl", "--user", "disable", "--now", SystemdUnits.name(of: job) + ".timer"]]
    case .launchd: [["launchctl", "bootout", "gui/\(getuid())/\(LaunchAgent.label(of: job))"]]
    }
  }

  /// The same for people: one line for a shell that starts all of these jobs.
  func startingByHand(_ jobs: [ScheduledJob], in folder: String) -> String {
    let commands: [[String]] =
      switch self {
      case .systemd:
        [
          ["systemctl", "--user", "daemon-reload"],
          ["systemctl", "--user", "enable", "--now"]
            + jobs.map { SystemdUnits.name(of: $0) + ".timer" },
        ]
      case .launchd: jobs.flatMap { starting($0, in: folder) }
      }
    return commands.map { $0.joined(separator: " ") }.joined(separator: " && ")
  }

  /// Stops a job and deletes its files; false if it was not installed.
  func remove(_ job: ScheduledJob, from folder: String) async throws(LedgerError) -> Bool {
    let files = fileNames(job).map { "\(folder)/\($0)" }
      .filter { FileManager.default.fileExists(atPath: $0) }
    guard !files.isEmpty else { return false }
    // A job that does not run can't be stopped, and need not be.
    for command in stopping(job) { _ = await Self.run(command) }
    for file in files where unlink(file) != 0 {
      throw LedgerError(
        .storageUnavailable, "\(file) can't be deleted: \(String(cString: strerror(errno)))",
        remedy: "delete the file")
    }
    if self == .systemd { _ = await Self.run(["systemctl", "--user", "daemon-reload"]) }
    return true
  }

  /// The command that succeeds where a job will run again by itself.
  private func asking(_ job: ScheduledJob) -> [String] {
    switch self {
    case .systemd:
      ["systemctl", "--user", "is-active", "--quiet", SystemdUnits.name(of: job) + ".timer"]
    case .launchd: ["launchctl", "print", "gui/\(getuid())/\(LaunchAgent.label(of: job))"]
    }
  }

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
