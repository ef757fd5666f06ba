import ArgumentParser

@main
struct S3Health: AsyncParsableCommand {
  /// The program's version; CHANGELOG.md tells what each brought.
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "s3health",
    abstract: "Keep a person's daily health data as immutable revisions in a bucket they own.",
    discussion: """
      One small JSON document per day, every version kept, and a latest.json that never goes \
      backwards. With no --store, the ledger is a folder of your own.
      """,
    version: version,
    subcommands: [
      PutCommand.self, GetCommand.self, VerifyCommand.self, DoctorCommand.self,
      RaceCommand.self,
    ])
}
