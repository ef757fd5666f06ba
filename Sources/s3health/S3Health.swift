import ArgumentParser
import Foundation
import HealthLedger
import HealthModel

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
      PutCommand.self, ImportCommand.self, GetCommand.self, DiffCommand.self, VerifyCommand.self,
      ReportCommand.self, DoctorCommand.self, MCPCommand.self, RaceCommand.self,
    ])

  /// Parses, runs, and ends with an exit code of R40.
  static func main() async {
    StandardStreams.fillGaps()
    // A reader who leaves must not end a publish half-way; writing the results notices.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow is a failure to tell of; the signal would end the program instead.
    signal(SIGXFSZ, SIG_IGN)
    // A core file would hold credentials.
    var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
    #if os(Linux)
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
    #else
      setrlimit(RLIMIT_CORE, &noCore)
    #endif
    if let problem = ProcessLimits.prepare() {
      StandardStreams.note(problem.report)
      document(problem)
      exit(withError: problem.code.exitCode)
    }
    // The run time's timers take descriptors of their own with the first wait.
    if ProcessLimits.descriptorsAreScarce { try? await Task.sleep(for: .nanoseconds(1)) }
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      guard exitCode(for: error) == .validationFailure, !(error is ExitCode) else {
        exit(withError: error)
      }
      let spelling = Misspelling(commands: names(of: Self.self))
      document(
        LedgerError(
          .invalidArguments, spelling.corrected(message(for: error)),
          remedy: "see s3health help, or COMMAND --help"))
      StandardStreams.note(spelling.corrected(fullMessage(for: error)))
      exit(withError: ExitCode.validationFailure)
    }
  }

  /// The names of a command's subcommands, and of theirs.
  private static func names(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.flatMap { subcommand in
      [subcommand.configuration.commandName].compactMap { $0 } + names(of: subcommand)
    }
  }

  /// What kept a command from running at all, for a program that asked for JSON; never on the stream
  /// that is for an agent's messages alone (R53).
  private static func document(_ failure: LedgerError) {
    guard CommandLine.arguments.dropFirst().first != MCPCommand.configuration.commandName else {
      return
    }
    let arguments = CommandLine.arguments.joined(separator: " ")
    guard arguments.contains(#/ (--output|-o)[ =]?json( |$)/#) else { return }
    try? StandardStreams.write(.object(["error": failure.document]))
  }
}
