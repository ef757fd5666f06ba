package import ArgumentParser
package import HealthModel

/// How results are written to stdout.
package enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  /// For people; may change.
  case text
  /// One JSON document; stable (docs/OUTPUT.md).
  case json
}

/// `--output`, the same for every command.
package struct OutputOptions: ParsableArguments {
  package init() {}

  @Option(name: [.short, .long], help: "How to print results: text or json.")
  package var output: OutputFormat = .text
}

extension JSONValue {
  /// A whole number.
  package static func count(_ number: Int) -> JSONValue { .number(Double(number)) }
}
