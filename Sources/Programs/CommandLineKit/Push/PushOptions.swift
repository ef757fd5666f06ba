import AWSCredentials
import ArgumentParser
import Foundation
import HTTPClient
package import HealthExports
import HealthLedger
import HealthModel
import HealthSources

/// Where to push, and as what; each overrides its setting.
package struct PushOptions: ParsableArguments {
  package init() {}

  @Option(
    help: .init(
      "The Pushgateway, such as https://host:9091. Repeat it for several.",
      discussion: "Default: S3HEALTH_GATEWAY, then the configuration file.", valueName: "url"))
  var gateway: [String] = []

  @Option(help: .init("The job. Default: my_health_data.", valueName: "name"))
  var job: String?

  @Option(
    help: .init(
      "The instance. Default: the id of --person, else the name of this machine.", valueName: "name"
    ))
  var instance: String?

  @Option(
    help: .init(
      "Metrics to push: all, or keys with commas, v0, heart_rate and workouts.",
      valueName: "keys"), completion: .metrics,
    transform: PushSelection.argument)
  var metrics: PushSelection?

  @Option(
    help: .init("Metrics not to push, by the same words.", valueName: "keys"), completion: .metrics,
    transform: PushSelection.argument)
  var without: PushSelection?

  @Flag(help: "Add the label date, which makes a new series each day.")
  var dateLabel = false

  @Option(help: .init("User for basic authentication.", valueName: "name"))
  var user: String?

  @Option(
    help: .init(
      "File with the password in its first line, which only its owner can read.",
      discussion: "Or S3HEALTH_GATEWAY_PASSWORD, or the setting gateway_password_command.",
      valueName: "file"), completion: .file())
  var passwordFile: String?

  @Option(
    help: .init(
      "File with a bearer token in its first line, instead of user and password.",
      discussion: "Or S3HEALTH_GATEWAY_TOKEN, or the setting gateway_token_command.",
      valueName: "file"), completion: .file())
  var tokenFile: String?

  /// The gateways, in the order given.
  func addresses(_ settings: StoreSettings) throws(LedgerError) -> [GatewayAddress] {
    let given =
      gateway.isEmpty ? settings.gateways : gateway.map { Sourced($0, by: "--gateway") }
    guard !given.isEmpty else {
      throw LedgerError(
        .invalidArguments, "no gateway is given to push to",
        remedy: "add --gateway https://host:9091, or `gateway = URL` in the configuration file")
    }
    var addresses: [GatewayAddress] = []
    for url in given {
      let address = try address(url, settings)
      if !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }

  private func address(
    _ given: Sourced, _ settings: StoreSettings
  ) throws(LedgerError) -> GatewayAddress {
    func refused(_ message: String, _ remedy: LedgerError.Remedy) -> LedgerError {
      LedgerError(.invalidArguments, "\(given.origin): \(message)", remedy: remedy)
    }
    let address: GatewayAddress
    do throws(InvalidText) {
      address = try GatewayAddress(
        given.value, job: job ?? settings[.pushJob]?.value ?? GatewayAddress.usualJob,
        instance: instance ?? Self.instance(settings))
    } catch {
      throw refused(error.message, "use the address alone, such as https://host:9091")
    }
    let target: RequestTarget
    do {
      target = try RequestTarget(address.group)
    } catch {
      throw refused(
        error.message.printable,
        "use a URL such as https://host:9091; a user and a password have options of their own")
    }
    guard target.isTLS || target.isLoopback || settings.s3Settings.allowsPlaintext else {
      throw refused(
        "\(target.host.printable) would get health data over plain http",
        "use https, or --allow-plaintext on a network that you trust")
    }
    return address
  }

  func selection(_ settings: StoreSettings) throws(LedgerError) -> PushSelection {
    let chosen = try Self.selection(settings[.pushMetrics])
    let excluded = try Self.selection(settings[.pushWithout])
    let selection = (metrics ?? chosen ?? .all).without(without ?? excluded ?? .none)
    guard !selection.isEmpty else {
      throw LedgerError(
        .invalidArguments, "no metric is left to push",
        remedy: "leave out fewer with --without or push_without")
    }
    return selection
  }

  private static func selection(
    _ given: Sourced?
  ) throws(LedgerError) -> PushSelection? {
    guard let given else { return nil }
    do throws(MetricSelection.Failure) {
      return try PushSelection(parsing: given.value)
    } catch {
      throw LedgerError(
        .invalidArguments, "\(given.origin): \(PushSelection.words(error))",
        remedy: "docs/METRICS.md lists all keys")
    }
  }

  /// The default instance: the setting, or else the person (R64), because otherwise pushes of several
  /// people from one machine would replace each other, or else this machine.
  package static func instance(_ settings: StoreSettings) -> String {
    settings[.pushInstance]?.value ?? settings.personID?.rawValue ?? machineName
  }

  /// The name of this machine, as it calls itself.
  private static var machineName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "s3health" }
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.isEmpty ? "s3health" : name
  }
}

extension PushSelection {
  /// The value of `--metrics` and `--without`.
  package static func argument(_ text: String) throws -> PushSelection {
    do throws(MetricSelection.Failure) {
      return try PushSelection(parsing: text)
    } catch {
      throw ValidationError(words(error))
    }
  }

  fileprivate static func words(_ failure: MetricSelection.Failure) -> String {
    failure.words(besides: [heartRate, workouts])
  }
}
