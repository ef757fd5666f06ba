import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import HealthStreams
import Outbox

/// Which outbox to use; the same for every command that has one.
struct OutboxOptions: ParsableArguments {
  @Option(
    help: .init(
      "The outbox's file.",
      discussion: "Default: S3HEALTH_OUTBOX, then outbox.sqlite in your data folder.",
      valueName: "file"), completion: .file())
  var outbox: String?

  /// The outbox's file for a command that adds no entries.
  func file(_ settings: StoreSettings) -> OutboxFile {
    OutboxFile(path: path(settings), appVersion: Program.version)
  }

  /// The outbox's file. New entries come from this device.
  func file(_ settings: StoreSettings, deviceID: String) throws(OutboxError) -> OutboxFile {
    try OutboxFile(path: path(settings), deviceID: deviceID, appVersion: Program.version)
  }

  private func path(_ settings: StoreSettings) -> String {
    outbox ?? settings[.outbox]?.value ?? settings.directories.data + "/outbox.sqlite"
  }
}

/// A stream by its long or short name on the command line, of those that a set offers.
struct StreamArgument<Offered: OfferedStreams>: ExpressibleByArgument, Hashable {
  let stream: StreamName

  init?(argument: String) {
    guard let stream = StreamName(named: argument), Offered.taken.contains(stream) else {
      return nil
    }
    self.stream = stream
  }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  static var allValueStrings: [String] {
    Offered.streams.flatMap { [$0.shortName, $0.rawValue] }
  }
}

protocol OfferedStreams: Hashable {
  static var streams: [StreamName] { get }
  /// Those that are read, too, but not offered.
  static var taken: [StreamName] { get }
}

extension OfferedStreams {
  static var taken: [StreamName] { streams }
}

enum QueuedStreams: OfferedStreams { static let streams = StreamName.queued }

enum StoredStreams: OfferedStreams { static let streams = StreamName.allCases }

/// Streams whose entries can be queued one by one. Of payloads the command says what queues them.
enum CollectedStreams: OfferedStreams {
  static let streams = StreamName.collected
  static let taken = StreamName.queued
}

/// Runs code that uses the outbox, and words its error for the command line.
func queued<Value>(
  _ work: @autoclosure () throws(OutboxError) -> Value
) throws(LedgerError) -> Value {
  do throws(OutboxError) { return try work() } catch { throw LedgerError(error) }
}

extension LedgerError {
  /// A failure of the outbox, worded for the command line.
  init(_ error: OutboxError) {
    let message = "the outbox: " + error.message
    self =
      switch error.code {
      case .storageFull:
        LedgerError(
          .storageUnavailable, "E004: the disk is full: \(error.message)",
          remedy: "free some space; nothing that was queued before is lost")
      case .permissionDenied:
        LedgerError(
          .notAuthorized, "E005: the outbox may not be read or written: \(error.message)",
          remedy: "give this user the file and its folder, or name another with --outbox")
      case .busy:
        LedgerError(
          .storageUnavailable, "another process has used the outbox for more than 5 s",
          remedy: "try again", isRetryable: true)
      case .damaged:
        LedgerError(
          .storageUnavailable, message,
          remedy: "keep a copy of the file, and name a new one with --outbox")
      case .newerVersion:
        LedgerError(
          .storageUnavailable, message,
          remedy: "use the newer s3health that made it, or name another file with --outbox")
      case .invalid: LedgerError(.invalidArguments, message)
      case .failed:
        LedgerError(.storageUnavailable, message, remedy: "check the disk and the file")
      }
    key = error.path
  }
}

/// The options of commands that use the outbox and no store.
struct QueueSettings: ParsableArguments {
  @Option(help: .init("Configuration file to read.", valueName: "file"), completion: .file())
  var config: String?

  @OptionGroup var whose: PersonOption
  @OptionGroup var speech: SpeechOptions

  /// Starts logging, and reads the settings.
  func settings() throws(LedgerError) -> Settings {
    Diagnostics.start(isQuiet: speech.quiet, isVerbose: speech.verbose, showsProgress: true)
    var given = GivenSettings()
    given.take(.config, config)
    given.take(.person, whose.person)
    Program.repeat(given)
    return try Settings(given, environment: ProcessInfo.processInfo.environment)
  }
}
