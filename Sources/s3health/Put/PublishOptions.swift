import ArgumentParser

/// What a publish may do that it refuses, or skips, unless it is asked for.
struct PublishOptions: ParsableArguments {
  @Flag(
    help: .init(
      "Publish also where the store has data that was captured later.",
      discussion: "Else such a day is skipped, which is said."))
  var force = false

  @Flag(help: "Publish also dates that are still to come.")
  var allowFuture = false
}
