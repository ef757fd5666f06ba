import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import StoreAccess

/// The options of commands that use the outbox and no store.
struct QueueSettings: ParsableArguments {
  @Option(help: .init("Configuration file to read.", valueName: "file"), completion: .file())
  var config: String?

  @OptionGroup var speech: SpeechOptions

  /// Starts logging, and reads the settings.
  func settings() throws(LedgerError) -> Settings {
    Diagnostics.start(isQuiet: speech.quiet, isVerbose: speech.verbose, showsProgress: true)
    var given = GivenSettings()
    given.configuration = config.map { Given($0, by: "--config") }
    return try Settings(given, environment: ProcessInfo.processInfo.environment)
  }
}
