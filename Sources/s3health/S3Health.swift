import ArgumentParser
import CMemory
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
        s3health init s3://health/me --endpoint-url https://minio.home:9000
        s3health put --date today --input metrics.json
        s3health import export.zip
        s3health collect
        s3health get --last 30d
        s3health ls
        s3health verify

      SETTINGS: options override environment variables, which override the configuration file \
      (~/.config/s3health/config), which overrides ~/.aws. `s3health doctor` shows each setting \
      and its origin. docs/SETTINGS.md lists all of them.
        S3HEALTH_STORE          the store, the same as --store
        S3HEALTH_SOURCE         what `put` and `collect` read if no input is given
        S3HEALTH_TIMEZONE       the time zone of the days
        S3HEALTH_CONFIG         another configuration file
        S3HEALTH_CACHE_SIZE     size of the cache
        S3HEALTH_COLLECTOR_ID, S3HEALTH_DEVICE_ID
                                ids of the publisher in each revision
        AWS_ENDPOINT_URL, AWS_PROFILE, AWS_REGION, AWS_ACCESS_KEY_ID, ...
                                as in the AWS CLI
        NO_COLOR                disables colours

      EXIT CODES: 0 success, 1 findings or differences, 64 invalid arguments or input, 66 no data, \
      69 storage unavailable, 70 internal error, 77 not authorised, 130 interrupted.

      COMPLETIONS: `s3health --generate-completion-script bash`, or zsh or fish, prints a script \
      for your shell.
      """,
    version: Program.version,
    subcommands: [
      InitCommand.self, PutCommand.self, ImportCommand.self, CollectCommand.self, GetCommand.self,
      ListCommand.self, DiffCommand.self, VerifyCommand.self, ReportCommand.self,
      ExportCommand.self, QueueCommand.self, SetupCommand.self, SyncCommand.self,
      StatusCommand.self, StreamsCommand.self, DoctorCommand.self, LogCommand.self,
      ScheduleCommand.self, MCPCommand.self, RaceCommand.self,
    ])

  /// Parses the arguments, runs the command, and exits with a code of R40.
  static func main() async {
    StandardStreams.fillGaps()
    // A reader that closes the pipe must not end a publish half-way. Writing the results reports
    // it.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow is an error to report. The signal would end the program instead.
    signal(SIGXFSZ, SIG_IGN)
    s3h_return_large_blocks()
    // A core file would contain credentials.
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
    // The runtime's timers open descriptors of their own with the first wait.
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
      StandardStreams.note(quoting(spelling.corrected(fullMessage(for: error))))
      exit(withError: ExitCode.validationFailure)
    }
  }

  /// The names of a command's subcommands and of their subcommands.
  private static func names(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.flatMap { subcommand in
      [subcommand.configuration.commandName].compactMap { $0 } + names(of: subcommand)
    }
  }

  /// A message with the quoted arguments escaped, because names of files may contain anything.
  private static func quoting(_ message: String) -> String {
    CommandLine.arguments.reduce(message) { message, argument in
      let shown = argument.printable
      return shown == argument ? message : message.replacing(argument, with: shown)
    }
  }

  /// The error that kept a command from running, for a program that asked for JSON. Never written
  /// to a stream that is only for an agent's messages (R53).
  private static func document(_ failure: LedgerError) {
    guard CommandLine.arguments.dropFirst().first != MCPCommand.configuration.commandName else {
      return
    }
    let arguments = CommandLine.arguments.joined(separator: " ")
    guard arguments.contains(#/ (--output|-o)[ =]?json( |$)/#) else { return }
    try? StandardStreams.write(.object(["error": failure.document]))
  }
}
