import ArgumentParser
import CommandLineKit

/// `queue`: puts entries into the outbox and shows what is there.
struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Queue raw entries for upload, and look at the queue.",
    discussion: """
      The outbox keeps raw entries of the three streams (location, audio, healthkit), and payloads \
      that `collect --queue` has found, in a file on this machine until `sync` has uploaded them. \
      What `queue add` has taken survives a crash and a power cut.

        s3health queue add --stream location --input points.jsonl
        my-collector | s3health queue add --stream healthkit
        s3health queue list --status failed
        s3health queue retry
      """,
    subcommands: [
      QueueAddCommand.self, QueueListCommand.self, QueueRetryCommand.self, QueueDropCommand.self,
    ])
}
