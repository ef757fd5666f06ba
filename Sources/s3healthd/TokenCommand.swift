import ArgumentParser
import Foundation
import HealthLedger
import IngestServer
import StoreAccess

struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Make, list and revoke the tokens of devices.",
    subcommands: [TokenAddCommand.self])
}

struct TokenAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Make a token for a device, and show it once.")

  @Argument(help: .init("The token's name.", valueName: "name"))
  var name: String

  @Option(help: .init("The device's id.", valueName: "uuid"))
  var device: String?

  @Option(help: .init("The file of tokens.", valueName: "file"))
  var tokens: String?

  func run() async throws {
    let settings = try StoreSettings(
      GivenSettings(), environment: ProcessInfo.processInfo.environment)
    let file = TokenFile(tokens ?? settings.directories.configuration + "/tokens.json")
    let secret = TokenSecret()
    let device = device.flatMap(DeviceID.lowercased) ?? DeviceID.random()
    _ = try file.update { (table) throws(Never) in
      table.add(
        AccessToken(
          device: .init(
            name: name, scope: .init(endpoints: Set(Endpoint.allCases), deviceID: device)),
          digest: secret.digest, createdAt: LedgerEnvironment.system.now()))
    }
    print(secret.text)
  }
}
