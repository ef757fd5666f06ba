import ArgumentParser
import CommandLineKit
import Foundation
import HealthCollector
import HealthLedger
import HealthModel

/// `watch`: today as it happens (R58).
struct WatchCommand: OutputCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show today's numbers as they change.",
    discussion: """
      The source is a folder that an app fills with payloads of Health Auto Export, a payload, or an \
      Apple Health export that is replaced from time to time; `streams` stands for the samples that \
      collectors have uploaded to the store. Without one, it is the configured source. New data \
      shows within a second of its arrival. Yesterday and the average of the seven days before today \
      are shown beside today; they come from the store.

        s3health watch ~/exports
        s3health watch streams
        s3health watch --publish
        s3health watch --step-goal 12000
        s3health watch --once --output json

      On a terminal the view fills the window; q ends it. To a pipe it prints one line for each \
      change; with --output json, each line is a document.
      """)

  @Argument(
    help: .init(
      "A folder, a payload, an export, or `streams`.",
      discussion: "Default: the configured source. A folder of that name is ./streams.",
      valueName: "source"), completion: .file())
  var source: String?

  @Flag(help: "Publish what has changed, after a pause of ten seconds.")
  var publish = false

  @Flag(help: "Show the numbers once, and end.")
  var once = false

  @Option(
    help: .init(
      "Steps to reach in a day. Kept in the configuration file.",
      discussion: "Default: `step_goal` in the configuration file, or 10000.", valueName: "steps"))
  var stepGoal: Int?

  @OptionGroup var zone: ZoneOption

  @Option(
    help: .init(
      "Metrics to show in addition to the required ones.",
      discussion: "all (the default), v0 for only the required ones, or keys: steps,weight.",
      valueName: "keys"), completion: .metrics, transform: MetricSelection.argument)
  var metrics: MetricSelection = .all

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var collector: CollectorOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if let stepGoal, !Setting.stepRange.contains(stepGoal) {
      throw ValidationError("--step-goal must be 1 to \(Setting.stepRange.upperBound)")
    }
    if publish, metrics.isList {
      throw ValidationError("--publish publishes every metric, so it takes no list of --metrics")
    }
  }

  func perform() async throws(LedgerError) -> ExitCode {
    let settings = try await Settings(store, timeZone: zone.timezone)
      .ofPerson(publish ? .newDays : .pages)
    if publish { settings.sayMissingZone() }
    // Checked first, so that a wrong one is not kept beside an error.
    let source = try watched(settings)
    let opened = try OpenedStore(settings, for: publish ? .writing : .reading)
    let goal = try goal(settings)
    let reader = DayReader(
      source: source, settings: settings, collector: try collector.collector(settings),
      opened: opened, metrics: metrics.withRequired)
    let push = publish && !once ? try await push(settings, opened) : nil
    let run = try WatchRun(reader, goal: goal, output: form, publishes: publish, push: push)
    try await opened.run { _ async throws(LedgerError) in
      if once { return try show(try await run.once()) }
      // Until a signal, which ends the program as it ends others, but with the terminal given back.
      try await Interruption.surviving {
        () async throws(LedgerError) in
        try await run.live()
      } cleanUp: {
        run.close()
      }
    }
    return .success
  }

  /// Pushes what was published to the configured gateways; nil if there are none.
  private func push(
    _ settings: Settings, _ opened: OpenedStore
  ) async throws(LedgerError) -> (@Sendable () async -> String?)? {
    guard !settings.store.gateways.isEmpty, let options = try? PushOptions.parse([]) else {
      return nil
    }
    let run = try await PushRun(
      settings, options, opened, timeout: .seconds(PushRun.usualTimeout))
    return {
      let report = await run.push()
      return report.error?.message ?? report.failures.first?.message
    }
  }

  private var form: WatchRun.Output {
    if output.output == .json { return .documents }
    return Terminal.standardOutput().isTerminal ? .screen : .lines
  }

  private func show(_ view: WatchView) throws(LedgerError) {
    StandardStreams.remark(notes: view.notes)
    switch output.output {
    case .json: try StandardStreams.write(try JSONValue(encoding: view.document))
    case .text:
      let screen = WatchScreen(view: view, terminal: .standardOutput(), goesOn: false)
      try StandardStreams.writeLine(screen.lines.joined(separator: "\n"))
    }
  }

  /// The source, if there is something at its path.
  private func watched(_ settings: Settings) throws(LedgerError) -> WatchSource {
    if let source {
      if source == SourceSetting.streams { return .streams }
      return try existing(source, origin: "SOURCE")
    }
    guard let configured = settings.store.source else {
      throw settings.store.noSource(
        "there is nothing to watch", "name one, such as s3health watch ~/exports")
    }
    return configured.isStreams
      ? .streams : try existing(configured.path, origin: configured.origin)
  }

  private func existing(_ path: String, origin: String) throws(LedgerError) -> WatchSource {
    guard path != "-", FileManager.default.fileExists(atPath: path) else {
      throw LedgerError(
        .invalidArguments,
        path == "-"
          ? "stdin can't be watched: it can be read only once"
          : "the source \(path) does not exist",
        remedy: path == "-" ? "name a file or a folder" : "check the path; \(origin) names it")
    }
    return .path(path, origin: origin)
  }

  /// The goal that was given, which is kept; else the one that is kept.
  private func goal(_ settings: Settings) throws(LedgerError) -> Int {
    guard let stepGoal else { return settings.stepGoal }
    try ConfigurationEdit(
      try ConfigurationFile(path: settings.store.configurationPath, mustExist: false),
      setting: [(.stepGoal, "\(stepGoal)")], heading: ConfigurationEdit.usualHeading
    ).write()
    return stepGoal
  }
}
