package import ArgumentParser
package import HealthModel

/// How results are written to stdout.
package enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  /// For people; may change.
  case text
  /// One JSON document; stable (docs/OUTPUT.md).
  case json
}

/// `--output` of a command that can print a table for other programs too.
package struct TableOutputOptions: ParsableArguments {
  package init() {}

  /// How results are written to stdout.
  package enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    /// Comma-separated values, as `export csv` writes them (docs/EXPORT.md).
    case csv
  }

  @Option(name: [.short, .long], help: "How to print results: text, json, or csv for a range.")
  package var output: Format = .text

  /// How errors are written, and results that are not tables.
  package var plain: OutputFormat { output == .json ? .json : .text }
}

/// `--output`, the same for every other command.
package struct OutputOptions: ParsableArguments {
  package init() {}

  @Option(name: [.short, .long], help: "How to print results: text or json.")
  package var output: OutputFormat = .text
}

extension JSONValue {
  /// A whole number.
  package static func count(_ number: Int) -> JSONValue { .number(Double(number)) }
}
