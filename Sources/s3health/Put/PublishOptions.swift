import ArgumentParser
import HealthSamples

/// Which metrics to publish, and what a publish does only on request.
struct PublishOptions: ParsableArguments {
  @Option(
    help: .init(
      "Metrics to publish in addition to the eight of v0.",
      discussion: "all (the default), v0 for only the eight, or keys: steps,weight.",
      valueName: "keys"), transform: MetricSelection.argument)
  var metrics: MetricSelection = .all

  @Flag(
    help: .init(
      "Publish even if the store has data that was captured later.",
      discussion: "Otherwise such days are skipped and reported."))
  var force = false

  @Flag(help: "Publish dates in the future as well.")
  var allowFuture = false
}
