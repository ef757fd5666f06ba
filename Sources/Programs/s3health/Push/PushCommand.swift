import ArgumentParser
import CommandLineKit
import Foundation
import HealthExports
import HealthLedger
import HealthModel

/// `push`: pushes the newest values to Prometheus Pushgateways (R57).
struct PushCommand: OutputCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Push the newest values to a Prometheus Pushgateway.",
    discussion: """
      Pushes today's totals as counters that start again at midnight, and the last known values as \
      gauges. A value that is not of today has the label data_age. What has no number is left out. \
      With --test one number is pushed under the instance NAME-test and deleted again. The password \
      comes from S3HEALTH_GATEWAY_PASSWORD, --password-file or the setting \
      gateway_password_command; a bearer token from S3HEALTH_GATEWAY_TOKEN, --token-file or \
      gateway_token_command. With --interval a push follows at once when today is published. docs/PROMETHEUS.md has the scrape configuration, alert rules and a \
      dashboard for Grafana; https://prometheus.io/docs/instrumenting/pushing/ is about gateways.

        s3health push --gateway https://host:9091
        s3health push --gateway https://host:9091 --test
        s3health push --interval 5m
        s3health push --metrics v0,weight,heart_rate --instance "John's iPhone"
      """)

  @OptionGroup var push: PushOptions

  @Option(
    help: .init("Repeat the push at this interval, such as 5m; at least 1m.", valueName: "duration")
  )
  var interval: DurationArgument?

  @Flag(help: "Push one number to test the connection, and delete it.")
  var test = false

  @Flag(help: "Replace all that was pushed for this instance before (PUT instead of POST).")
  var replace = false

  @OptionGroup var zone: ZoneOption

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if let interval, interval.seconds < 60 {
      throw ValidationError("--interval must be at least 1m")
    }
    if test, interval != nil {
      throw ValidationError("--test and --interval can't be used together")
    }
  }

  func perform() async throws(LedgerError) -> ExitCode {
    let settings = try await Settings(store, timeZone: zone.timezone).ofPerson()
    // The zone decides what is today's: a wrong one is refused before anything is sent.
    _ = try settings.today
    var run = try await PushRun(
      settings, push, try OpenedStore(settings),
      timeout: .seconds(store.timeout ?? PushRun.usualTimeout), replaces: replace,
      output: .report(format))
    if test { return try await run.test(format) }
    guard let interval else { return try await run.once() }
    run.news = StoreNews(run.reader)
    return try await Interruption.surviving { [run] () async throws(LedgerError) in
      try await run.loop(every: interval.seconds)
    }
  }
}
