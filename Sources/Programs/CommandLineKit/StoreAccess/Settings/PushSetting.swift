/// Where metrics are pushed to, and as what, from variables and the configuration file
/// (docs/PROMETHEUS.md). Nothing is pushed anywhere unless somebody names a gateway. Without the
/// password or token, which is read when it is needed.
package struct PushSetting: Hashable, Sendable {
  package let gateways: [Sourced<String>]
  package let job: Sourced<String>?
  package let instance: Sourced<String>?
  package let user: Sourced<String>?
  /// A file that only its owner can read; its first line is the password.
  package let passwordFile: Sourced<String>?
  /// A command of the shell that prints the password.
  package let passwordCommand: Sourced<String>?
  /// The same of a bearer token, which some gateways take in the place of user and password.
  package let tokenFile: Sourced<String>?
  package let tokenCommand: Sourced<String>?
  package let metrics: Sourced<String>?
  package let without: Sourced<String>?

  /// The variable of the password itself.
  package static let passwordVariable = "S3HEALTH_GATEWAY_PASSWORD"
  /// The variable of the token itself.
  package static let tokenVariable = "S3HEALTH_GATEWAY_TOKEN"
  private static let gatewayVariable = "S3HEALTH_GATEWAY"

  init(_ file: ConfigurationFile, _ environment: [String: String], home: String) {
    func chosen(_ variable: String, _ name: ConfigurationFile.Name) -> Sourced<String>? {
      if let value = StoreSettings.variable(variable, environment) {
        return Sourced(value, by: variable)
      }
      return file.values[name].map { Sourced($0, by: file.path) }
    }
    func path(_ variable: String, _ name: ConfigurationFile.Name) -> Sourced<String>? {
      chosen(variable, name).map { file.path($0, home: home) }
    }
    if let named = StoreSettings.variable(Self.gatewayVariable, environment) {
      gateways = named.split(separator: " ").map { Sourced(String($0), by: Self.gatewayVariable) }
    } else {
      gateways = file.gateways.map { Sourced($0, by: file.path) }
    }
    job = chosen("S3HEALTH_PUSH_JOB", .pushJob)
    instance = chosen("S3HEALTH_PUSH_INSTANCE", .pushInstance)
    user = chosen("S3HEALTH_GATEWAY_USER", .gatewayUser)
    passwordFile = path("S3HEALTH_GATEWAY_PASSWORD_FILE", .gatewayPasswordFile)
    passwordCommand = chosen("S3HEALTH_GATEWAY_PASSWORD_COMMAND", .gatewayPasswordCommand)
    tokenFile = path("S3HEALTH_GATEWAY_TOKEN_FILE", .gatewayTokenFile)
    tokenCommand = chosen("S3HEALTH_GATEWAY_TOKEN_COMMAND", .gatewayTokenCommand)
    metrics = chosen("S3HEALTH_PUSH_METRICS", .pushMetrics)
    without = chosen("S3HEALTH_PUSH_WITHOUT", .pushWithout)
  }
}
