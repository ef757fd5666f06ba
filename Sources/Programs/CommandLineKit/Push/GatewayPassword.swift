import Foundation
import HealthExports
import HealthLedger
import Subprocess

/// Where the password or the token of a gateway is: a variable, a file of its owner, or what a command
/// prints, such as that of a keychain. Never an option, which others could see in the list of
/// processes.
struct GatewayPassword {
  private let settings: StoreSettings
  private let user: String?
  private let file: String?
  private let tokenFile: String?
  private let limit: Duration

  /// - Parameter limit: how long a command may take. The default is enough for a person who has to
  ///   unlock a keychain.
  init(
    _ settings: StoreSettings, user: String? = nil, file: String? = nil, tokenFile: String? = nil,
    limit: Duration = .seconds(60)
  ) {
    (self.settings, self.limit) = (settings, limit)
    self.user = user ?? settings.push.user?.value
    self.file = file ?? settings.push.passwordFile?.value
    self.tokenFile = tokenFile ?? settings.push.tokenFile?.value
  }

  /// Nil if neither a user nor a token is named.
  func credentials() async throws(LedgerError) -> GatewayCredentials? {
    let push = settings.push
    let token = try await secret(
      PushSetting.tokenVariable, tokenFile, push.tokenCommand, "token")
    guard let user else {
      if let token {
        guard let credentials = GatewayCredentials(token: token) else {
          throw LedgerError(
            .invalidArguments, "the gateway's token can't be sent",
            remedy: "use a token of printable ASCII without blanks")
        }
        return credentials
      }
      guard
        StoreSettings.variable(PushSetting.passwordVariable, settings.environment) == nil,
        file == nil, push.passwordCommand == nil
      else {
        throw LedgerError(
          .invalidArguments, "there is a password for the gateway, but no user",
          remedy: "add --user NAME, or gateway_user in the configuration file")
      }
      return nil
    }
    guard token == nil else {
      throw LedgerError(
        .invalidArguments, "the gateway has both a user and a token",
        remedy: "leave out one of them")
    }
    let password = try await secret(
      PushSetting.passwordVariable, file, push.passwordCommand, "password")
    guard let password else {
      throw LedgerError(
        .invalidArguments, "no password is given for the gateway's user \(user.printable)",
        remedy: .text("set \(PushSetting.passwordVariable), or name a file with --password-file"))
    }
    guard let credentials = GatewayCredentials(user: user, password: password) else {
      throw LedgerError(
        .invalidArguments, "the gateway's user or password can't be sent",
        remedy: "use a user without a colon, and no control characters in either")
    }
    return credentials
  }

  /// The first that is given of a variable, a file and a command.
  private func secret(
    _ variable: String, _ file: String?, _ command: Sourced<String>?, _ name: String
  ) async throws(LedgerError) -> String? {
    if let given = StoreSettings.variable(variable, settings.environment) { return given }
    if let file { return try Self.firstLine(ofFile: file, name) }
    if let command { return try await printed(by: command, name) }
    return nil
  }

  /// The longest secret, in bytes.
  private static let longest = 4096

  private static func firstLine(
    ofFile path: String, _ name: String
  ) throws(LedgerError) -> String {
    func unfit(_ reason: String, _ remedy: LedgerError.Remedy) -> LedgerError {
      LedgerError(
        .invalidArguments, "the file of the gateway's \(name) \(reason)", key: path,
        remedy: remedy)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw unfit("can't be read: \(String(cString: strerror(errno)))", "check the path")
    }
    defer { close(descriptor) }
    var found = stat()
    guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
      throw unfit("is not an ordinary file", "name a file")
    }
    guard found.st_mode & 0o077 == 0 else {
      throw unfit("can be read by others", .text("run: chmod 600 \(path)"))
    }
    var buffer = [UInt8](repeating: 0, count: longest + 1)
    let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw unfit("can't be read", "check the file") }
    return line(buffer[..<count])
  }

  private func printed(
    by command: Sourced<String>, _ name: String
  ) async throws(LedgerError) -> String {
    let shell = ShellCommand(text: command.value, limit: limit)
    let reason: String
    switch await shell.run(.bytes(limit: Self.longest + 1)) {
    case .success(let bytes) where !bytes.isEmpty: return Self.line(bytes[...])
    case .success: reason = "printed nothing"
    case .failure(let failure): reason = failure.reason
    }
    throw LedgerError(
      .invalidArguments, "\(command.origin): the command of the gateway's \(name) \(reason)",
      remedy: "run the command in a shell and look at what it says")
  }

  private static func line(_ bytes: ArraySlice<UInt8>) -> String {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return String(decoding: line, as: UTF8.self)
  }
}
