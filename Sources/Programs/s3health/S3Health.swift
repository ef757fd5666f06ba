import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel

@main
struct S3Health: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "s3health",
    abstract: "Keep a person's daily health data as immutable revisions in a bucket they own.",
    discussion: """
      Stores one small JSON document per day, keeps every version, and never moves a latest.json \
      backwards. Without a configured store it uses a folder in your home.

      EVERY DAY:
        s3health import export.zip
        s3health get yesterday
        s3health get 30d
        s3health summary --compare
        s3health report
        s3health collect
        s3health verify
        s3health init s3://health/me --endpoint-url https://minio.home:9000

      SETTINGS: options override environment variables, which override the configuration file \
      (~/.config/s3health/config), which overrides ~/.aws. `s3health doctor` shows each setting \
      and its origin. docs/SETTINGS.md lists all of them.
        S3HEALTH_STORE          the store, the same as --store
        S3HEALTH_PERSON         the person of a store that many share, the same as --person
        S3HEALTH_SOURCE         what `put` and `collect` read if no input is given
        S3HEALTH_TIMEZONE       the time zone of the days
        S3HEALTH_CONFIG         another configuration file
        S3HEALTH_CACHE_SIZE     size of the cache
        S3HEALTH_SSE, S3HEALTH_SSE_KMS_KEY_ID, S3HEALTH_ADDRESSING_STYLE
                                encryption in the bucket, and where its name stands
        S3HEALTH_COLLECTOR_ID, S3HEALTH_DEVICE_ID
                                ids of the collector in each revision
        AWS_ENDPOINT_URL, AWS_PROFILE, AWS_REGION, AWS_ACCESS_KEY_ID, ...
                                as in the AWS CLI
        NO_COLOR                disables colours

      EXIT CODES: 0 success, 1 findings or differences, 64 invalid arguments or input, 66 no data, \
      69 storage unavailable, 70 internal error, 77 not authorised, 130 interrupted.

      RULES: errors name rules of the specification; `s3health help R20` prints one.

      COMPLETIONS: `s3health completions bash`, or zsh or fish, prints a script for your shell.
      """,
    version: Program.version,
    subcommands: [
      InitCommand.self, PutCommand.self, ImportCommand.self, CollectCommand.self, GetCommand.self,
      WatchCommand.self, ListCommand.self, SummaryCommand.self, DiffCommand.self,
      VerifyCommand.self, ReportCommand.self, PeopleCommand.self,
      ExportCommand.self, PushCommand.self, QueueCommand.self, SetupCommand.self, SyncCommand.self,
      StatusCommand.self, StreamsCommand.self, DoctorCommand.self, ConfigCommand.self,
      DeviceCommand.self, LogCommand.self, ScheduleCommand.self, MCPCommand.self,
      CompletionsCommand.self,
      VersionCommand.self, MovedRaceCommand.self,
    ])

  static func main() async {
    // A stream that is only for an agent's messages takes no document (R53).
    let isAgents = CommandLine.arguments.dropFirst().first == MCPCommand.configuration.commandName
    prepare(as: "s3health", printsDocuments: !isAgents)
    guard let rule = RuleHelp(CommandLine.arguments) else {
      return await run(printsDocuments: !isAgents)
    }
    do {
      try await rule.run()
    } catch {
      exit(withError: error)
    }
  }
}
