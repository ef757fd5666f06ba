import ArgumentParser
import StoreAccess

/// A duration on the command line: `36h`, `2d`, `90m`, `1d12h`.
struct DurationArgument: ExpressibleByArgument, Hashable {
  /// Seconds; at least 1.
  let seconds: Int
  private let text: String

  var duration: Duration { .seconds(seconds) }

  init?(argument: String) {
    guard let duration = DurationText(argument) else { return nil }
    (seconds, text) = (duration.seconds, argument)
  }

  var defaultValueDescription: String { text }
}
