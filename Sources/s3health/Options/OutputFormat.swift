import ArgumentParser

/// How results are written to stdout.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  /// For people; may change.
  case text
  /// One JSON document; stable (docs/OUTPUT.md).
  case json
}

/// `--output`, the same for every command.
struct OutputOptions: ParsableArguments {
  @Option(name: [.short, .long], help: "How to print results: text or json.")
  var output: OutputFormat = .text
}
