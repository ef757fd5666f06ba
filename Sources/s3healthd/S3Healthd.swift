import ArgumentParser
import IngestServer

@main
struct S3Healthd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "s3healthd",
    abstract: "Takes health data from phones, and keeps it in a bucket that the person owns.",
    subcommands: [ServeCommand.self, TokenCommand.self])
}
