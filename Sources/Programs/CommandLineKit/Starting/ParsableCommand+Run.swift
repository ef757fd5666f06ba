package import ArgumentParser
import Foundation
import HealthLedger
import HealthModel

extension ParsableCommand {
  /// Makes the process ready for work, or exits with a sentence about what the machine lacks.
  ///
  /// Call it before waiting for anything: the first wait starts threads, which may hang where memory
  /// runs out, and whose descriptors would take the places of closed streams.
  ///
  /// - Parameters:
  ///   - name: the program's name, for messages.
  ///   - printsDocuments: whether stdout takes an error as a document, if JSON was asked for.
  package static func prepare(as name: String, printsDocuments: Bool = true) {
    guard let problem = Program.prepare(name), !asksForVersion else { return }
    StandardStreams.note(problem.report)
    if printsDocuments { document(problem) }
    exit(withError: problem.code.exitCode)
  }

  /// Parses the arguments, runs the command, and exits with a code of R40.
  ///
  /// - Parameter printsDocuments: whether stdout takes an error as a document, if JSON was asked for.
  package static func run(printsDocuments: Bool = true) async {
    // The runtime's timers open descriptors of their own with the first wait.
    if ProcessLimits.descriptorsAreScarce, !asksForVersion {
      try? await Task.sleep(for: .nanoseconds(1))
    }
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      if exitCode(for: error) == .success { end(saying: fullMessage(for: error)) }
      guard exitCode(for: error) == .validationFailure, !(error is ExitCode) else {
        exit(withError: error)
      }
      let spelling = Misspelling(
        commands: names(of: commandReached), in: CommandLine.arguments)
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

  /// Whether only the version is asked for, which needs nothing of the machine.
  private static var asksForVersion: Bool {
    CommandLine.arguments.dropFirst().first == "--version"
  }

  /// Ends with success after a help text, a version or a completion script, if there is one. A full
  /// disk is an error here, too.
  private static func end(saying text: String) -> Never {
    do throws(LedgerError) {
      if !text.isEmpty { try StandardStreams.writeLine(text) }
    } catch {
      StandardStreams.say(error)
      exit(withError: error.code.exitCode)
    }
    exit()
  }

  /// The innermost command that the arguments name before an option or an unknown word.
  private static var commandReached: any ParsableCommand.Type {
    var command: any ParsableCommand.Type = Self.self
    for argument in CommandLine.arguments.dropFirst() {
      let subcommands = command.configuration.subcommands
      guard let next = subcommands.first(where: { $0.configuration.commandName == argument })
      else { break }
      command = next
    }
    return command
  }

  /// The names of a command's subcommands, and the full names of their subcommands.
  private static func names(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.flatMap { subcommand -> [String] in
      guard let name = subcommand.configuration.commandName else { return [] }
      return [name] + names(of: subcommand).map { "\(name) \($0)" }
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
