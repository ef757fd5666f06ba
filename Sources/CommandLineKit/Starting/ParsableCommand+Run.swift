package import ArgumentParser
import Foundation
package import HealthLedger
import HealthModel

extension ParsableCommand {
  /// Parses the arguments, runs the command, and exits with a code of R40.
  ///
  /// - Parameters:
  ///   - problem: what `Program.prepare` found. The caller asks before it waits for anything: the
  ///     first wait starts threads, whose descriptors would take the places of closed streams.
  ///   - printsDocuments: whether stdout takes an error as a document, if JSON was asked for.
  package static func run(after problem: LedgerError?, printsDocuments: Bool = true) async {
    if let problem {
      StandardStreams.note(problem.report)
      if printsDocuments { document(problem) }
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
      if printsDocuments {
        document(
          LedgerError(
            .invalidArguments, spelling.corrected(message(for: error)),
            remedy: .text("see \(Program.name) help, or COMMAND --help")))
      }
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

  /// The error that kept a command from running, for a program that asked for JSON.
  private static func document(_ failure: LedgerError) {
    let arguments = CommandLine.arguments.joined(separator: " ")
    guard arguments.contains(#/ (--output|-o)[ =]?json( |$)/#) else { return }
    try? StandardStreams.write(.object(["error": failure.document]))
  }
}
