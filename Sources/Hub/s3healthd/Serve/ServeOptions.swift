import ArgumentParser
import IngestServer

/// Where to listen: `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`.
struct ListenArgument: ExpressibleByArgument, CustomStringConvertible {
  /// Without brackets.
  let host: String
  let port: Int

  init(host: String, port: Int) { (self.host, self.port) = (host, port) }

  init?(argument: String) {
    let text = argument.utf8
    guard let colon = text.lastIndex(of: UInt8(ascii: ":")),
      let port = Int(String(argument[argument.index(after: colon)...])), (0...65_535).contains(port)
    else { return nil }
    var host = argument[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
    } else if host.unicodeScalars.contains(":") {
      return nil
    }
    guard !host.isEmpty else { return nil }
    self.init(host: String(host), port: port)
  }

  var address: HubServer.Address { .init(host: host, port: port) }

  /// Whether only this machine reaches it.
  var isLoopback: Bool {
    host == "localhost" || host == "::1"
      || host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
  }

  var description: String {
    host.unicodeScalars.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  var defaultValueDescription: String { description }
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
