import ArgumentParser
import Foundation
import HealthLedger
import HealthModel

@main
struct S3Health: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "s3health",
    abstract: "Keep a person's daily health data as immutable revisions in a bucket they own.",
    discussion: """
      One small JSON document per day, every version kept, and a latest.json that never goes \
      backwards. Where no store is named it is a folder of your own.

      EVERY DAY:
        s3health init s3://health/me --endpoint-url https://minio.home:9000
        s3health put --date today --input metrics.json
        s3health import export.zip
        s3health get --last 30d
        s3health ls
        s3health verify

      SETTINGS: a flag comes before a variable, a variable before the configuration file, \
      ~/.config/s3health/config, and that before ~/.aws. `s3health doctor` shows each with its \
      origin; docs/SETTINGS.md has them all.
        S3HEALTH_STORE          the store, as --store has it
        S3HEALTH_SOURCE         what `put` reads where no input is named
        S3HEALTH_TIMEZONE       the time zone of the days
        S3HEALTH_CONFIG         another configuration file
        S3HEALTH_CACHE_SIZE     room for copies of what was read
        S3HEALTH_COLLECTOR_ID, S3HEALTH_DEVICE_ID
                                the ids that revisions are published under
        AWS_ENDPOINT_URL, AWS_PROFILE, AWS_REGION, AWS_ACCESS_KEY_ID, ...
                                as aws-cli has them
        NO_COLOR                no colours on a terminal

      EXIT CODES: 0 fine, 1 something was found, 64 wrong arguments or input, 66 no data, 69 \
      storage unavailable, 70 a fault of the program, 77 not authorised, 130 interrupted.

      COMPLETIONS: `s3health --generate-completion-script bash`, or zsh or fish, prints a script \
      for your shell.
      """,
    version: Program.version,
    subcommands: [
      InitCommand.self, PutCommand.self, ImportCommand.self, GetCommand.self,
      ListCommand.self, DiffCommand.self, VerifyCommand.self, ReportCommand.self,
      ExportCommand.self, DoctorCommand.self, MCPCommand.self, RaceCommand.self,
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
      StandardStreams.note(quoting(spelling.corrected(fullMessage(for: error))))
      exit(withError: ExitCode.validationFailure)
    }
  }

  /// The names of a command's subcommands, and of theirs.
  private static func names(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.flatMap { subcommand in
      [subcommand.configuration.commandName].compactMap { $0 } + names(of: subcommand)
    }
  }

  /// A message with the arguments that it quotes spelled out: names of files may hold anything.
  private static func quoting(_ message: String) -> String {
    CommandLine.arguments.reduce(message) { message, argument in
      let shown = argument.printable
      return shown == argument ? message : message.replacing(argument, with: shown)
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
