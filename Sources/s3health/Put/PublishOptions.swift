import ArgumentParser
import HealthSamples

/// Which metrics are published, and what a publish refuses, or skips, unless it is asked for.
struct PublishOptions: ParsableArguments {
  @Option(
    help: .init(
      "Metrics to publish beside the eight, which are always published.",
      discussion: "all (the default), v0 for the eight alone, or keys: steps,weight.",
      valueName: "keys"), transform: MetricSelection.argument)
  var metrics: MetricSelection = .all

  @Flag(
    help: .init(
      "Publish also where the store has data that was captured later.",
      discussion: "Else such a day is skipped, which is said."))
  var force = false

  @Flag(help: "Publish also dates that are still to come.")
  var allowFuture = false
}
