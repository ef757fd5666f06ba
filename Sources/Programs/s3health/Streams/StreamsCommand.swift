import ArgumentParser
import CommandLineKit

/// `streams`: reads the raw data of the streams back.
struct StreamsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "streams",
    abstract: "List, print and check the raw data that `sync` uploads.",
    discussion: """
      The store keeps raw data below streams/v0/, in batches that never change: one object for each \
      upload, stream, device and date. Dates are in UTC.

        s3health streams ls --last 7d
        s3health streams cat --stream location --from yesterday --to yesterday
        s3health streams verify
        s3health streams zones
      """,
    subcommands: [
      StreamsListCommand.self, StreamsCatCommand.self, StreamsVerifyCommand.self,
      StreamsZonesCommand.self,
    ])
}
