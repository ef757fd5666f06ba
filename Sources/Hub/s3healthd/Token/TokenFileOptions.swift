import ArgumentParser
import CommandLineKit
import Foundation
package import HealthLedger
package import IngestServer

/// `--tokens`: where the tokens are.
struct TokenFileOptions: ParsableArguments {
  @Option(
    help: .init(
      "The file of tokens, or `store`: an object in the bucket, for several servers.",
      discussion: "Default: ~/.config/s3health/tokens.json", valueName: "file"),
    completion: .file())
  var tokens: String?

  /// The file, whose folder exists afterwards if it is the default one.
  private func file(_ directories: UserDirectories) throws(LedgerError) -> DeviceTokenFile {
    if let tokens { return DeviceTokenFile(tokens) }
    let folder = directories.configuration
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw LedgerError(
        .invalidArguments, "the folder \(folder) can't be created",
        remedy: .text("name a file elsewhere with --tokens"))
    }
    return DeviceTokenFile(folder + "/tokens.json")
  }

  var isInStore: Bool { tokens == "store" }

  func place(_ directories: UserDirectories) throws(LedgerError) -> TokenPlace {
    .file(try file(directories))
  }

  func place(in opened: OpenedStore) throws(LedgerError) -> TokenPlace {
    guard case .s3 = opened.backing else {
      throw LedgerError(
        .invalidArguments, "--tokens store needs a bucket: others may read a folder",
        remedy: .text("name a file with --tokens"))
    }
    let layout = opened.ledger.layout
    guard let object = TokenObject(opened.ledger.store, prefix: layout.prefix) else {
      throw LedgerError(
        .invalidArguments, "the store's prefix is too long for the key of the tokens",
        remedy: "use a shorter prefix")
    }
    return .object(object)
  }

  /// Where the tokens of a server are.
  func place(
    _ settings: StoreSettings, _ opened: OpenedStore
  ) throws(LedgerError) -> TokenPlace {
    isInStore ? try place(in: opened) : try place(settings.directories)
  }
}

extension TokenPlace {
  func tokens() async throws(LedgerError) -> TokenTable {
    try await worded { () async throws(HubServerError) in try await read() }
  }

  /// Changes the tokens.
  ///
  /// - Parameter change: returns why it has changed nothing, which is thrown.
  func update(_ change: (inout TokenTable) -> LedgerError?) async throws(LedgerError) {
    let refusal = try await worded { () async throws(HubServerError) in
      try await self.change(change)
    }
    if let refusal { throw refusal }
  }

  func add(_ token: AccessToken) async throws(LedgerError) {
    try await update { table in
      // An answer that was lost: it is this token.
      if table[token.name] == token { return nil }
      guard table[token.name] == nil else {
        return LedgerError(
          .invalidArguments, "there is a token \(token.name) already",
          remedy: .text(
            "choose another name, or run s3healthd token revoke \(token.name) first"))
      }
      guard !table.add(token) else { return nil }
      return LedgerError(
        .invalidArguments, "there are \(TokenTable.maximumTokens) tokens already",
        remedy: .text("revoke those that are not in use"))
    }
  }
}

/// What the commands of tokens share.
struct TokenOptions: ParsableArguments {
  @OptionGroup var file: TokenFileOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "With --tokens store") var store: StoreOptions

  /// Where the tokens are, by the options and the environment.
  func found() throws(LedgerError) -> TokenPlace {
    guard file.isInStore else {
      return try file.place(UserDirectories(environment: ProcessInfo.processInfo.environment))
    }
    Diagnostics.start(store)
    // The tokens of all people are in one place.
    let settings = try Settings(store, timeZone: nil, forAllPeople: true)
    return try file.place(in: OpenedStore(settings, for: .writing))
  }

  /// Whose tokens are meant; nil for all tokens, or for one without a person.
  var person: PersonID? {
    get throws(LedgerError) {
      try store.whose.person.map { text throws(LedgerError) in try PersonID(checking: text) }
    }
  }
}

extension HubServerError: WordedFailure {
  package var worded: LedgerError { LedgerError(self) }
}

extension LedgerError {
  /// Why a server can't start or its tokens can't be used, worded for the command line.
  init(_ error: HubServerError) {
    let remedy: LedgerError.Remedy =
      switch error.code {
      case .cannotListen: .text("check --listen, and that no other program uses the port")
      case .invalidCertificate:
        .text("check --tls-cert and --tls-key: each takes a PEM file, the key of mode 0600")
      case .tokensInaccessible: .text("check --tokens, and the permissions of the file")
      case .tokensNotPrivate:
        .text("run chmod 600 on it, and make new tokens if others could read it")
      case .tokensDamaged: .text("restore it from a backup, or remove it and make new tokens")
      }
    self.init(.invalidArguments, error.message, remedy: remedy)
  }
}
