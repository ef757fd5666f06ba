import ArgumentParser
import CommandLineKit
import HealthLedger

@main
struct S3Health: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "s3health",
    abstract: "Keep daily health data as immutable revisions in a bucket you own.",
    version: Program.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Days",
        subcommands: [
          ImportCommand.self, PutCommand.self, CollectCommand.self, GetCommand.self,
          ListCommand.self, ReportCommand.self, ExportCommand.self, RunsCommand.self,
          UndoCommand.self, VerifyCommand.self, WatchCommand.self,
        ]),
      CommandGroup(
        name: "Store and automation",
        subcommands: [
          InitCommand.self, ConfigCommand.self, DoctorCommand.self, StatusCommand.self,
          PeopleCommand.self, ScheduleCommand.self, PushCommand.self,
        ]),
      CommandGroup(
        name: "Raw data and agents", subcommands: [RawCommand.self, MCPCommand.self]),
    ])

  static func main() async {
    // A stream that is only for an agent's messages takes no document (R53).
    let isAgents = CommandLine.arguments.dropFirst().first == MCPCommand.configuration.commandName
    prepare(as: "s3health", printsDocuments: !isAgents)
    guard let help = HelpRequest(CommandLine.arguments) else {
      return await run(printsDocuments: !isAgents)
    }
    do {
      try await help.run()
    } catch {
      exit(withError: error)
    }
  }
}
