import ArgumentParser
import IngestServer

@main
struct S3Healthd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "s3healthd",
    abstract: "Takes health data from phones, and keeps it in a bucket that the person owns.",
    subcommands: [Serve.self])
}

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves the endpoints that phones post to.")

  func run() async throws {
    try await IngestServer(host: "127.0.0.1", port: 8080).run()
  }
}
