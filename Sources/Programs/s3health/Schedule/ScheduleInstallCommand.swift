import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel

/// `schedule install`: writes the files and starts the jobs.
struct ScheduleInstallCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Write the files of the schedule and start it.",
    discussion: """
      Without jobs it installs one that collects from the configured source and then uploads what \
      is queued; with --queue it queues what is new in the source and uploads that. Installing \
      again replaces the schedule, for example after this program has moved. What the runs could \
      not do, because a setting or key is in this shell alone, is refused.

        s3health schedule install
        s3health schedule install --queue
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

  @Flag(
    help: .init(
      "Before each upload, queue what is new in the source, as collect --queue does.",
      discussion: "For an Apple Health export or a folder of payloads."))
  var queue = false

  @Flag(help: "Install what would fail with the settings as they are now.")
  var force = false

  @Flag(help: "Print the files and change nothing.")
  var dryRun = false

  func validate() throws {
    if every != nil, daily != nil {
      throw ValidationError("--every and --daily can't be used together")
    }
    if queue, !options.jobs.isEmpty, options.jobs != [.sync] {
      throw ValidationError("--queue belongs to the job sync")
    }
    if let every, every.seconds < 60 { throw ValidationError("--every must be at least 1m") }
    if timing == nil {
      throw ValidationError("\"\(daily?.prefix(40) ?? "")\" is not a valid time of day (HH:MM)")
    }
  }

  /// Nil for a time of day that does not exist.
  private var timing: JobTiming? {
    guard let daily else { return every.map { .every(seconds: $0.seconds) } ?? .usual }
    let parts = daily.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
      let hour = UInt8(parts[0]), let minute = UInt8(parts[1]), hour < 24, minute < 60
    else { return nil }
    return .daily(hour: Int(hour), minute: Int(minute))
  }

  func perform() async throws(LedgerError) -> ExitCode {
    let (system, timing) = (ScheduleSystem.native, timing ?? .usual)
    guard let program = Program.file else {
      throw LedgerError(.internal, "the path of this program can't be found")
    }
    guard system.takes(program: program) else {
      throw LedgerError(
        .invalidArguments, "systemd can't run a program at this path: \(program)",
        remedy: "move this program to a folder whose name has no quotes and no backslashes")
    }
    let configuration = config.map { URL(filePath: $0).standardizedFileURL.path }
    let check = try JobCheck(ProcessInfo.processInfo.environment, configuration: configuration)
    let before: JobPlan.Collection? =
      queue ? .queue : options.jobs.isEmpty && check.hasSource ? .collect : nil
    let plans = (options.jobs.isEmpty ? [.sync] : options.jobs).map { job in
      JobPlan(
        job: job, before: before, program: program, timing: timing, configuration: configuration)
    }
    try await refuse(plans, check)
    for file in plans.flatMap({ system.files($0) }) {
      if dryRun {
        try StandardStreams.writeLine("# \(system.folder)/\(file.name)\n\(file.text)")
      } else {
        try write(file, in: system.folder)
      }
    }
    guard !dryRun else { return .success }
    // An older job would collect a second time beside a sync that collects.
    if before == .collect, try await system.remove(.collect) {
      try StandardStreams.writeLine("collect: removed, because sync collects now")
    }
    var failures: [(job: ScheduledJob, reason: String)] = []
    for plan in plans {
      if let reason = try await start(plan, system) {
        failures.append((plan.job, reason))
      } else {
        await EventRecorder(check.settings.store).service(
          plan.job, hasStarted: true, at: check.settings.now,
          "\(plan.job.rawValue) is scheduled \(timing.words)")
      }
    }
    guard let failure = failures.first else { return .success }
    let byHand = system.starting(failures.map(\.job)).map { $0.joined(separator: " ") }
    var error = LedgerError(
      .storageUnavailable,
      "the files are written, but \(system.rawValue) did not start them: \(failure.reason)",
      remedy: .text("log in as this user and run: " + byHand.joined(separator: " && ")))
    if failures.count > 1 {
      error.details = failures.map { .init("\($0.job.rawValue): \($0.reason)") }
    }
    throw error
  }

  /// Refuses jobs whose every run would fail.
  private func refuse(_ plans: [JobPlan], _ check: JobCheck) async throws(LedgerError) {
    let problems = await check.problems(of: plans)
    if !problems.isEmpty, !force {
      var error = LedgerError(
        .invalidArguments,
        "a scheduled run would fail, because it has only the configuration file:",
        remedy: "correct that first; --force installs it anyway")
      error.details = problems
      throw error
    }
    for problem in problems { StandardStreams.remark("note: \(problem.words)") }
    if problems.isEmpty, !check.missedVariables.isEmpty {
      StandardStreams.remark(
        "note: scheduled runs do not see variables of this shell: "
          + check.missedVariables.joined(separator: ", "))
    }
    if !check.hasSource, plans.allSatisfy({ $0.job == .sync && !$0.collects }) {
      StandardStreams.remark(
        "note: no source is configured: only what other commands queue is uploaded; "
          + "`source = PATH` in \(check.settings.store.configurationPath) is collected, too")
    }
  }

  private func write(_ file: ScheduleSystem.File, in folder: String) throws(LedgerError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw LedgerError(
        .storageUnavailable, "the folder \(folder) can't be created",
        remedy: "create the folder, or give this user permission to write there")
    }
    try PrivateFile("\(folder)/\(file.name)", for: "the schedule")
      .replace(with: Array(file.text.utf8))
  }

  /// Why the system did not start a job; nil if it did.
  private func start(
    _ plan: JobPlan, _ system: ScheduleSystem
  ) async throws(LedgerError) -> String? {
    // launchd refuses to load an agent twice.
    if system == .launchd { await system.stop(plan.job) }
    for command in system.starting([plan.job]) {
      if let failure = await ScheduleSystem.run(command) { return failure }
    }
    let first = plan.before.map { "\($0.rawValue), then " } ?? ""
    try StandardStreams.writeLine("\(first)\(plan.job.rawValue): \(plan.timing.words)")
    return nil
  }
}
