import ArgumentParser
import StoreAccess

/// A duration on the command line: `36h`, `2d`, `90m`, `1d12h`.
package struct DurationArgument: ExpressibleByArgument, Hashable {
  /// Seconds; at least 1.
  package let seconds: Int
  private let text: String

  package var duration: Duration { .seconds(seconds) }

  package init?(argument: String) {
    guard let duration = DurationText(argument) else { return nil }
    (seconds, text) = (duration.seconds, argument)
  }

  package var defaultValueDescription: String { text }
}
