import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import IngestServer
import StoreAccess

/// `--tokens`: the file of tokens.
struct TokenFileOptions: ParsableArguments {
  @Option(
    help: .init(
      "The file of tokens.", discussion: "Default: ~/.config/s3health/tokens.json",
      valueName: "file"), completion: .file())
  var tokens: String?

  /// The file, whose folder exists afterwards if it is the default one.
  func file(_ directories: UserDirectories) throws(LedgerError) -> DeviceTokenFile {
    if let tokens { return DeviceTokenFile(tokens) }
    let folder = directories.configuration
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw LedgerError(
        .invalidArguments, "the folder \(folder) can't be made",
        remedy: .text("name a file elsewhere by --tokens"))
    }
    return DeviceTokenFile(folder + "/tokens.json")
  }

  /// The tokens for a server.
  func keeper(_ settings: StoreSettings) throws(LedgerError) -> TokenKeeper {
    let file = try file(settings.directories)
    do throws(TokenFileError) {
      return try TokenKeeper(file)
    } catch {
      throw LedgerError(error)
    }
  }
}

/// What the commands of tokens share.
struct TokenOptions: ParsableArguments {
  @OptionGroup var file: TokenFileOptions
  @OptionGroup var output: OutputOptions

  /// The file of tokens in the environment.
  func found() throws(LedgerError) -> DeviceTokenFile {
    try file.file(UserDirectories(environment: ProcessInfo.processInfo.environment))
  }
}

extension LedgerError {
  /// A file of tokens that can't be used, worded for the command line.
  init(_ error: TokenFileError) {
    let remedy: LedgerError.Remedy =
      switch error.code {
      case .inaccessible: .text("check --tokens, and the rights of the file and its folder")
      case .notPrivate: .text("run chmod 600 on it, and make new tokens if others could read it")
      case .damaged: .text("restore it from a backup, or remove it and make new tokens")
      }
    self.init(.invalidArguments, error.message, remedy: remedy)
  }
}
