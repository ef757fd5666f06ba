import ArgumentParser

/// `--timezone` of commands that make days of an input: one zone, or several by period (R4).
struct ZonesOption: ParsableArguments {
  @Option(
    help: .init(
      "Reporting time zone. Default: the one that the export names, or this machine's.",
      discussion: "If you moved: the first zone, then each later zone with its first day: "
        + "--timezone Europe/Paris --timezone America/New_York@2024-03-02, or all in one: "
        + "--timezone 'Europe/Paris, America/New_York@2024-03-02'",
      valueName: "zone"))
  var timezone: [String] = []

  /// The zones as one text, as the configuration file has them; nil if none were given.
  var text: String? { timezone.isEmpty ? nil : timezone.joined(separator: ",") }
}
