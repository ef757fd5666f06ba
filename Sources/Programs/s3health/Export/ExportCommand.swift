import ArgumentParser

/// `export`: what is in a store or a source, for other programs.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write tables, for Prometheus, or to a server.",
    discussion: """
        s3health export csv 365d > days.csv
        s3health export csv --table workouts --input export.zip --out workouts.csv
        s3health export json --table sleep --input export.zip > sleep.jsonl
        s3health export openmetrics --out days.om
        s3health export records --input export.zip --server https://health.home
      """,
    subcommands: [
      TableExportCommand.self, RecordsExportCommand.self, OpenMetricsExportCommand.self,
    ],
    defaultSubcommand: TableExportCommand.self)
}
