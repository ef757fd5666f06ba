import ArgumentParser

/// `raw`: the raw entries of the streams, on their way to the store and back.
struct RawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "raw",
    abstract: "Queue, upload, list, print and check raw data.",
    discussion: """
      The outbox is a file of this machine. It keeps raw entries of the three streams (location, audio, \
      healthkit), and payloads that `collect --queue` has found, until `raw sync` has uploaded them. \
      What `raw add` has taken survives a crash and a power cut. The store keeps raw data below \
      streams/v0/, in batches that never change: one object for each upload, stream, device and date. \
      Dates of batches are in UTC.

        my-collector | s3health raw add --stream healthkit
        s3health raw sync
        s3health raw ls 7d
        s3health raw cat yesterday --stream location
        s3health raw verify
      """,
    subcommands: [
      QueueAddCommand.self, QueueListCommand.self, QueueDropCommand.self, SyncCommand.self,
      StreamsListCommand.self, StreamsCatCommand.self, StreamsVerifyCommand.self,
      StreamsZonesCommand.self,
    ])
}
