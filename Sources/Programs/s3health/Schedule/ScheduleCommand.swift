import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel

/// `schedule`: lets the system run this program.
struct ScheduleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Run collect, sync and push by themselves.",
    discussion: """
      Nothing runs by itself before `schedule install`. A scheduled run reads the configuration \
      file, not the variables of your shell.

        s3health schedule install
        s3health schedule install --queue
        s3health schedule install collect --daily 03:30
        s3health schedule install push
        s3health schedule status
        s3health schedule remove
      """,
    subcommands: [
      ScheduleInstallCommand.self, ScheduleRemoveCommand.self, ScheduleStatusCommand.self,
    ])
}

/// Which jobs, of which system.
struct ScheduleOptions: ParsableArguments {
  @Argument(
    help: .init(
      "The jobs: collect, sync, push.",
      discussion: "Default: all. `install` takes sync, which then collects before it uploads."))
  var jobs: [ScheduledJob] = []

  var chosen: [ScheduledJob] { jobs.isEmpty ? ScheduledJob.allCases : jobs }

  /// The folder of the system's files.
  var folder: String { ScheduleSystem.native.folder }
}

/// `schedule remove`: stops the jobs and deletes their files.
struct ScheduleRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Stop the schedule and delete its files.")

  @OptionGroup var options: ScheduleOptions

  func run() async throws {
    try await reportingErrors(.text) { () async throws(LedgerError) in
      let system = ScheduleSystem.native
      for job in options.chosen {
        guard try await system.remove(job, from: options.folder) else {
          try StandardStreams.writeLine("\(job.rawValue): not installed")
          continue
        }
        try StandardStreams.writeLine("\(job.rawValue): removed")
        // Without settings that can be read there is no log, and the job is gone all the same.
        if let settings = try? Settings(
          GivenSettings(), environment: ProcessInfo.processInfo.environment)
        {
          await EventRecorder(settings.store).service(
            job.service, hasStarted: false, at: settings.now,
            "\(job.rawValue) is no longer scheduled")
        }
      }
      return .success
    }
  }
}

/// `schedule status`: what is installed and runs.
struct ScheduleStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what is scheduled, and whether it runs.",
    discussion: "Exits with 1 if an installed job does not run.")

  @OptionGroup var options: ScheduleOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      let system = ScheduleSystem.native
      var documents: [JSONValue] = []
      var lines: [String] = []
      var isWell = true
      for job in options.chosen {
        let isActive = await system.isActive(job, in: options.folder)
        isWell = isWell && isActive != false
        documents.append(
          .object([
            "job": .string(job.rawValue), "installed": .bool(isActive != nil),
            "active": .bool(isActive == true),
          ]))
        let state = isActive.map { $0 ? "active" : "installed, not active" } ?? "not installed"
        lines.append("\(job.rawValue.padded(to: 9))\(state)")
      }
      switch output.output {
      case .json:
        try StandardStreams.write(
          .object([
            "system": .string(system.rawValue), "folder": .string(options.folder),
            "jobs": .array(documents),
          ]))
      case .text: try StandardStreams.writeLine(lines.joined(separator: "\n"))
      }
      return isWell ? .success : foundSomething
    }
  }
}
