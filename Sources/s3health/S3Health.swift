import ArgumentParser

@main
struct S3Health: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "s3health",
    abstract: "Keep a person's daily health data as immutable revisions in a bucket they own.")
}
