import ArgumentParser
import CommandLineKit

@main
struct S3Healthd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "s3healthd",
    abstract: "Take health data from phones, and keep it in a bucket that the person owns.",
    discussion: """
      A server for apps that post health data (Health Auto Export, Overland, OwnTracks), and for \
      collectors such as `s3health raw sync --server`. What it acknowledges is durable in the store, and the \
      days that it touches are published within seconds. It uses the configuration file and the \
      settings of s3health.

        s3healthd token add phone --device 5E3A1D0C-7B42-4F6E-9A51-D40E8C27B100
        s3healthd serve --store s3://health/me --listen 0.0.0.0:8443 \\
          --tls-cert cert.pem --tls-key key.pem
        s3healthd mcp-url https://health.home:8443 --new-token claude
        s3healthd db create --postgres postgresql://me@db.home/health

      EXIT CODES: 0 success, 1 differences, 64 invalid arguments or input, 66 no data, 69 storage \
      unavailable, 70 internal error, 77 not authorised.
      """,
    version: Program.version,
    subcommands: [
      ServeCommand.self, TokenCommand.self, AgentURLCommand.self, DatabaseCommand.self,
    ])

  static func main() async {
    prepare(as: "s3healthd")
    await run()
  }
}
