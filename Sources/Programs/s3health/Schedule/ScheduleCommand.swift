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
}

/// `schedule remove`: stops the jobs and deletes their files.
struct ScheduleRemoveCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Stop the schedule and delete its files.")

  @OptionGroup var options: ScheduleOptions

  func perform() async throws(LedgerError) -> ExitCode {
    for job in options.chosen {
      guard try await ScheduleSystem.native.remove(job) else {
        try StandardStreams.writeLine("\(job.rawValue): not installed")
        continue
      }
      try StandardStreams.writeLine("\(job.rawValue): removed")
      // Without settings that can be read there is no log, and the job is gone all the same.
      if let settings = try? Settings(
        GivenSettings(), environment: ProcessInfo.processInfo.environment)
      {
        await EventRecorder(settings.store).service(
          job, hasStarted: false, at: settings.now, "\(job.rawValue) is no longer scheduled")
      }
    }
    return .success
  }
}

/// `schedule status`: what is installed and runs.
struct ScheduleStatusCommand: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show what is scheduled, and whether it runs.",
    discussion: "Exits with 1 if an installed job does not run.")

  @OptionGroup var options: ScheduleOptions
  @OptionGroup var output: OutputOptions

  func result() async throws(LedgerError) -> any CommandResult {
    let system = ScheduleSystem.native
    var jobs: [ScheduleState.Job] = []
    for job in options.chosen {
      let isActive = await system.isActive(job)
      jobs.append(.init(job: job.rawValue, installed: isActive != nil, active: isActive == true))
    }
    return ScheduleState(system: system.rawValue, folder: system.folder, jobs: jobs)
  }

  private struct ScheduleState: CommandResult, Encodable {
    let system, folder: String
    let jobs: [Job]

    struct Job: Encodable {
      let job: String
      let installed, active: Bool
    }

    var exitCode: ExitCode {
      jobs.allSatisfy { $0.active || !$0.installed } ? .success : foundSomething
    }

    func lines(_ terminal: Terminal) -> [String] {
      jobs.map { job in
        job.job.padded(to: 9)
          + (job.active ? "active" : job.installed ? "installed, not active" : "not installed")
      }
    }
  }
}
