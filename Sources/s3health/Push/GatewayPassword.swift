import CommandLineKit
import Foundation
import HealthLedger
import MetricsPush
import StoreAccess
import Subprocess

/// Where the password of a gateway is: a variable, a file of its owner, or what a command prints,
/// such as that of a keychain (PR-18). Never an option, which others could see in the list of
/// processes.
struct GatewayPassword {
  private let settings: StoreSettings
  private let user: String?
  private let file: String?

  init(_ settings: StoreSettings, user: String?, file: String?) {
    self.settings = settings
    self.user = user ?? settings.push.user?.value
    self.file = file ?? settings.push.passwordFile?.value
  }

  /// Nil if no user is named.
  func credentials() async throws(LedgerError) -> BasicCredentials? {
    let variable = PushSetting.passwordVariable
    let given = StoreSettings.variable(variable, settings.environment)
    guard let user else {
      guard given == nil, file == nil, settings.push.passwordCommand == nil else {
        throw LedgerError(
          .invalidArguments, "there is a password for the gateway, but no user",
          remedy: "add --user NAME, or gateway_user in the configuration file")
      }
      return nil
    }
    let password: String
    if let given {
      password = given
    } else if let file {
      password = try Self.firstLine(ofFile: file)
    } else if let command = settings.push.passwordCommand {
      password = try await Self.printed(by: command)
    } else {
      throw LedgerError(
        .invalidArguments, "there is no password for the gateway's user \(user.printable)",
        remedy: "set \(variable), or name a file with --password-file")
    }
    guard let credentials = BasicCredentials(user: user, password: password) else {
      throw LedgerError(
        .invalidArguments, "the gateway's user or password can't be sent",
        remedy: "use a user without a colon, and neither with control characters")
    }
    return credentials
  }

  /// The longest password, in bytes.
  private static let longest = 2048

  private static func firstLine(ofFile path: String) throws(LedgerError) -> String {
    func unfit(_ reason: String, _ remedy: LedgerError.Remedy) -> LedgerError {
      LedgerError(
        .invalidArguments, "the file of the gateway's password \(reason)", key: path,
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

  private static func printed(by command: Given<String>) async throws(LedgerError) -> String {
    do {
      let result = try await Subprocess.run(
        .path("/bin/sh"), arguments: ["-c", command.value], output: .bytes(limit: longest + 1),
        error: .discarded)
      if result.terminationStatus.isSuccess, !result.standardOutput.isEmpty {
        return line(result.standardOutput[...])
      }
    } catch {}
    throw LedgerError(
      .invalidArguments,
      "\(command.origin): the command of the gateway's password failed or printed nothing",
      remedy: "run the command in a shell and look at what it says")
  }

  private static func line(_ bytes: ArraySlice<UInt8>) -> String {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return String(decoding: line, as: UTF8.self)
  }
}
