import ArgumentParser
import IngestServer

extension ListenAddress: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
  package var defaultValueDescription: String { description }
}

extension AddressRange: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

/// What one client may ask of the server.
struct LimitOptions: ParsableArguments {
  @Option(help: .init("Most connections at a time.", valueName: "n"))
  var maxConnections = HubLimits().connections

  @Option(
    help: .init(
      "How many requests per second one device may send on average. 0 means no limit.",
      valueName: "n"))
  var rateLimit = HubLimits().requestsPerSecond

  @Option(help: .init("How long a body may take to arrive, in seconds.", valueName: "seconds"))
  var bodyTimeout = HubLimits().bodySeconds

  func validate() throws {
    if !(1...100_000).contains(maxConnections) {
      throw ValidationError("--max-connections must be 1 to 100000")
    }
    if !(0...100_000).contains(rateLimit) {
      throw ValidationError("--rate-limit must be 0 to 100000")
    }
    if !(1...3600).contains(bodyTimeout) {
      throw ValidationError("--body-timeout must be 1 to 3600")
    }
  }

  var limits: HubLimits {
    var limits = HubLimits()
    limits.connections = maxConnections
    limits.requestsPerSecond = rateLimit
    limits.requestBurst = max(1, 4 * rateLimit)
    limits.bodySeconds = bodyTimeout
    limits.idleSeconds = max(limits.idleSeconds, bodyTimeout)
    return limits
  }
}
