import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import StoreAccess

/// `schedule`: lets the system run this program.
struct ScheduleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Run collect, sync and push by themselves, with systemd or launchd.",
    discussion: """
      Nothing runs by itself before `schedule install`. A scheduled run reads the configuration \
      file, not the variables of your shell.

        s3health schedule install
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
    help: "The jobs: collect, sync, push. Default: all; `install` takes collect and sync.")
  var jobs: [ScheduledJob] = []

  var chosen: [ScheduledJob] { jobs.isEmpty ? ScheduledJob.allCases : jobs }

  /// The folder of the system's files.
  var folder: String {
    let environment = ProcessInfo.processInfo.environment
    return ScheduleSystem.native.folder(
      environment, home: UserDirectories(environment: environment).home)
  }
}

/// `schedule install`: writes the files and starts the jobs.
struct ScheduleInstallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Write the files of the schedule and start it.",
    discussion: """
      Installing again replaces the schedule, for example after this program has moved.

        s3health schedule install
        s3health schedule install collect --daily 03:30
        s3health schedule install sync --every 15m
        s3health schedule install --dry-run
      """)

  @OptionGroup var options: ScheduleOptions

  @Option(help: .init("Time between two runs. Default: 5m.", valueName: "duration"))
  var every: DurationArgument?

  @Option(help: .init("Run once a day at this time instead.", valueName: "hh:mm"))
  var daily: String?

  @Option(
    help: .init("Configuration file that the runs read.", valueName: "file"),
    completion: .file())
  var config: String?

  @Flag(help: "Print the files and change nothing.")
  var dryRun = false

  func validate() throws {
    if every != nil, daily != nil {
      throw ValidationError("--every and --daily can't be used together")
    }
    if let every, every.seconds < 60 { throw ValidationError("--every must be at least 1m") }
    _ = try timing()
  }

  private func timing() throws -> JobTiming {
    if let every { return .every(seconds: every.seconds) }
    guard let daily else { return .usual }
    let parts = daily.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
      let hour = UInt8(parts[0]), let minute = UInt8(parts[1]), hour < 24, minute < 60
    else {
      throw ValidationError("\"\(daily.prefix(40))\" is not a valid time of day (HH:MM)")
    }
    return .daily(hour: Int(hour), minute: Int(minute))
  }

  func run() async throws {
    let timing = try timing()
    try await reportingErrors(.text) { () async throws(LedgerError) in
      let system = ScheduleSystem.native
      guard let program = Program.file else {
        throw LedgerError(.internal, "the path of this program can't be found")
      }
      guard system == .launchd || SystemdUnits.takes(program: program) else {
        throw LedgerError(
          .invalidArguments, "systemd can't run a program at this path: \(program)",
          remedy: "move this program to a folder whose name has no quotes and no backslashes")
      }
      var configuration: String?
      if let config {
        configuration = URL(filePath: config).standardizedFileURL.path
        _ = try Settings(
          {
            var given = GivenSettings()
            given.configuration = Given(config, by: "--config")
            return given
          }(), environment: ProcessInfo.processInfo.environment)
      }
      let jobs = options.jobs.isEmpty ? ScheduledJob.usual : options.jobs
      var failures: [String] = []
      for job in jobs {
        let plan = JobPlan(
          job: job, program: program, timing: timing, configuration: configuration)
        for file in system.files(plan) {
          if dryRun {
            try StandardStreams.writeLine("# \(options.folder)/\(file.name)\n\(file.text)")
          } else {
            try write(file)
          }
        }
        if !dryRun { failures += try await start(job, timing, system) }
      }
      guard let failure = failures.first else { return .success }
      throw LedgerError(
        .storageUnavailable,
        "the files are written, but \(system.rawValue) did not start: \(failure)",
        remedy: .text(
          "log in as this user and run: "
            + system.starting(jobs[0], in: options.folder).prefix(2).map {
              $0.joined(separator: " ")
            }.joined(separator: " && ")))
    }
  }

  private func write(_ file: ScheduleFile) throws(LedgerError) {
    do {
      try FileManager.default.createDirectory(
        atPath: options.folder, withIntermediateDirectories: true)
    } catch {
      throw LedgerError(
        .storageUnavailable, "the folder \(options.folder) can't be created",
        remedy: "create the folder, or give this user permission to write there")
    }
    let path = "\(options.folder)/\(file.name)"
    try PrivateFile(path, for: "the schedule").replace(with: Array(file.text.utf8))
  }

  /// Why the system did not start a job.
  private func start(
    _ job: ScheduledJob, _ timing: JobTiming, _ system: ScheduleSystem
  ) async throws(LedgerError) -> [String] {
    // launchd refuses to load an agent twice.
    if system == .launchd {
      for command in system.stopping(job) { _ = await ScheduleSystem.run(command) }
    }
    for command in system.starting(job, in: options.folder) {
      if let failure = await ScheduleSystem.run(command) { return [failure] }
    }
    try StandardStreams.writeLine("\(job.rawValue): \(timing.words)")
    return []
  }
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
        let files = system.fileNames(job).map { "\(options.folder)/\($0)" }
          .filter { FileManager.default.fileExists(atPath: $0) }
        guard !files.isEmpty else {
          try StandardStreams.writeLine("\(job.rawValue): not installed")
          continue
        }
        // A job that does not run can't be stopped, and need not be.
        for command in system.stopping(job) { _ = await ScheduleSystem.run(command) }
        for file in files where unlink(file) != 0 {
          throw LedgerError(
            .storageUnavailable, "\(file) can't be deleted: \(String(cString: strerror(errno)))",
            remedy: "delete the file")
        }
        if system == .systemd {
          _ = await ScheduleSystem.run(["systemctl", "--user", "daemon-reload"])
        }
        try StandardStreams.writeLine("\(job.rawValue): removed")
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
        let isInstalled = system.fileNames(job).allSatisfy {
          FileManager.default.fileExists(atPath: "\(options.folder)/\($0)")
        }
        var failure: String?
        if isInstalled { failure = await ScheduleSystem.run(system.asking(job)) }
        isWell = isWell && failure == nil
        documents.append(
          .object([
            "job": .string(job.rawValue), "installed": .bool(isInstalled),
            "active": .bool(isInstalled && failure == nil),
          ]))
        let state =
          !isInstalled ? "not installed" : failure == nil ? "active" : "installed, not active"
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
