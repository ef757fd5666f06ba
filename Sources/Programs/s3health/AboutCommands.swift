import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel

/// `version`: the same as --version.
struct VersionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Print the version.")

  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      switch output.output {
      case .text: try StandardStreams.writeLine(Program.version)
      case .json: try StandardStreams.write(.object(["version": .string(Program.version)]))
      }
      return .success
    }
  }
}

/// `completions`: the script that completes commands and options in a shell.
struct CompletionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print the script that completes commands and options in your shell.",
    discussion: """
        s3health completions bash > ~/.local/share/bash-completion/completions/s3health
        s3health completions zsh > ~/.zsh/completions/_s3health
        s3health completions fish > ~/.config/fish/completions/s3health.fish
      """)

  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish
  }

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  func run() async throws {
    let script =
      switch shell {
      case .bash: S3Health.completionScript(for: .bash)
      case .zsh: S3Health.completionScript(for: .zsh)
      case .fish: S3Health.completionScript(for: .fish)
      }
    try await reportingErrors(.text) { () async throws(LedgerError) in
      try StandardStreams.writeLine(script)
      return .success
    }
  }
}

/// `device`: the ids under which this machine publishes (R12).
struct DeviceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device",
    abstract: "Print the id of this device, which a server's token is made for.",
    discussion: """
      The id is made once and kept in your data folder. --output json also prints the collector's.

        s3healthd token add laptop --device "$(s3health device)" --endpoint ingest
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var collector: CollectorOptions
  @OptionGroup var store: StoreOptions

  func run() async throws {
    try await reportingErrors(output.output) { () async throws(LedgerError) in
      Diagnostics.start(store)
      let own = try collector.collector(try Settings(store, timeZone: nil))
      let device = own.deviceID.uuidString.lowercased()
      switch output.output {
      case .text: try StandardStreams.writeLine(device)
      case .json:
        try StandardStreams.write(
          .object([
            "collector_id": .string(own.collectorID.uuidString.lowercased()),
            "device_id": .string(device),
          ]))
      }
      return .success
    }
  }
}

/// `race`: where it went. To be removed after 0.1.0.
struct MovedRaceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "race", abstract: "Moved: races are now run by s3race.", shouldDisplay: false)

  @Argument(parsing: .captureForPassthrough)
  var arguments: [String] = []

  func run() async throws {
    let isJSON = arguments.joined(separator: " ").contains(#/(^| )(--output|-o)[ =]?json( |$)/#)
    try await reportingErrors(isJSON ? .json : .text) { () async throws(LedgerError) in
      throw LedgerError(
        .invalidArguments, "races are now a program of their own",
        remedy: "run `s3race` with the same arguments")
    }
  }
}
