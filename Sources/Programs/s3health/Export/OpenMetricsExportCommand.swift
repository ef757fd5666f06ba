import ArgumentParser
import CommandLineKit
import HealthExports
import HealthLedger
import HealthModel

/// `export openmetrics`: the days of the store as a text from which Prometheus makes its blocks, so
/// that it knows the years before the first push (R57).
struct OpenMetricsExportCommand: ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "openmetrics",
    abstract: "Write days as OpenMetrics, from which promtool makes blocks for Prometheus.",
    discussion: """
      The series have the names and labels of `push`, without the sources. Use the same --job and \
      --instance as for `push`. Each day has one sample per metric, at its last second. \
      docs/PROMETHEUS.md describes how to backfill Prometheus.

        s3health export openmetrics ..yesterday --out days.om
        promtool tsdb create-blocks-from --max-block-duration=8760h \\
          openmetrics days.om /var/lib/prometheus/metrics2
      """)

  @OptionGroup var span: SpanOptions

  @Option(
    help: .init("File to write or replace. Default: stdout.", valueName: "file"),
    completion: .file(extensions: ["om", "txt"]))
  var out: String?

  @Option(help: .init("The job. Default: my_health_data.", valueName: "name"))
  var job: String?

  @Option(help: .init("The instance. Default: that of `push`.", valueName: "name"))
  var instance: String?

  @Option(
    help: .init(
      "Metrics to write: all (the default), v0 for the required ones, or keys: steps,weight.",
      valueName: "keys"), completion: .metrics,
    transform: PushSelection.argument)
  var metrics: PushSelection?

  @OptionGroup var zone: ZoneOption

  @OptionGroup(title: "Store") var store: StoreOptions

  func perform() async throws(LedgerError) -> ExitCode {
    let settings = try await Settings(store, timeZone: zone.timezone).ofPerson()
    let output = try TableOutput(out)
    var history = PushedHistory(
      job: job ?? settings.store[.pushJob]?.value ?? GatewayAddress.usualJob,
      instance: instance ?? PushOptions.instance(settings.store), selection: metrics ?? .all)
    try await OpenedStore(settings).days(of: span, nil, settings) { revision in
      if let revision { history.add(PushedDay(revision)) }
    }
    guard history.dayCount > 0 else {
      throw LedgerError(
        .dataNotFound, "the store holds no days of these dates",
        remedy: "look at what it has: s3health ls")
    }
    for family in history.families() { output.write(Array(OpenMetricsText.text(family).utf8)) }
    output.write(Array(OpenMetricsText.end.utf8))
    try output.finish()
    return .success
  }
}
