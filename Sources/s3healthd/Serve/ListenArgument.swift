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
