import ArgumentParser
import HTTPClient
package import HealthExports
import HealthLedger
import HealthModel

/// What one push did, as text for people and as the document of docs/OUTPUT.md.
package struct PushReport {
  struct Gateway {
    let address: GatewayAddress
    /// Nil before the first attempt.
    var method: PushRequest.Method?
    var failure: PushFailure?
    /// How many pushes had failed in a row before this one.
    var failuresBefore = 0
  }

  let time: Timestamp
  let isTest: Bool
  private(set) var gateways: [Gateway]
  private(set) var samples = 0
  private(set) var metrics = 0
  private(set) var cached = 0
  private(set) var bytes = 0

  init(_ addresses: [GatewayAddress], at time: Timestamp, isTest: Bool = false) {
    (self.time, self.isTest) = (time, isTest)
    gateways = addresses.map { Gateway(address: $0) }
  }

  /// Takes what became of the push to a gateway.
  mutating func take(_ push: GatewayPush, of number: Int) {
    gateways[number].failuresBefore = push.failuresBefore
    (gateways[number].method, gateways[number].failure) = (push.method, push.failure)
    guard let values = push.values else { return }
    (samples, metrics, cached) = (values.sampleCount, values.families.count, values.cached)
    bytes = values.body.count
  }

  /// Whether there was nothing to push.
  var isEmpty: Bool { !isTest && metrics == 0 }

  package var failures: [PushFailure] { gateways.compactMap(\.failure) }

  /// 0 if every gateway took the values, or there were none.
  var exitCode: ExitCode {
    if failures.contains(where: { $0.kind == .unauthorized }) {
      return LedgerError.Code.notAuthorized.exitCode
    }
    return failures.isEmpty ? .success : LedgerError.Code.storageUnavailable.exitCode
  }

  func print(_ format: OutputFormat) throws(LedgerError) {
    switch format {
    case .json: try StandardStreams.write(document)
    case .text where failures.isEmpty && Diagnostics.isQuiet: break
    case .text:
      for line in lines(.standardOutput()) { try StandardStreams.writeLine(line) }
    }
    if isEmpty { StandardStreams.remark("warning: \(Self.nothing)") }
    for gateway in gateways {
      if let failure = gateway.failure { StandardStreams.say(failure.error(gateway.address.url)) }
    }
  }

  /// Says on stderr where pushes began to fail, or work again.
  func remarkChanges() {
    for gateway in gateways where gateway.method != nil {
      let before = gateway.failuresBefore
      if let failure = gateway.failure, before == 0 {
        StandardStreams.remark("\(time) push to \(gateway.address.url) failed: \(failure.message)")
      } else if gateway.failure == nil, before > 0 {
        StandardStreams.remark("\(time) push to \(gateway.address.url) works again")
      }
    }
  }

  /// The warning, in R57's words.
  static let nothing =
    "No metrics to push: the store has no readable day; `s3health ls` shows what it has"

  func lines(_ terminal: Terminal) -> [String] {
    gateways.filter { $0.method != nil }.map { gateway in
      let failed = gateway.failure != nil
      let mark = terminal.styled(failed ? "failed" : "ok    ", failed ? .bad : .good)
      let place = "\(mark)  \(gateway.address.url.printable)  \(gateway.address.instance.printable)"
      guard !failed else { return place }
      if isTest { return place + "  pushed one number and deleted it" }
      return place + "  " + (metrics == 1 ? "1 metric" : "\(metrics.grouped) metrics") + ", "
        + (samples == 1 ? "1 sample" : "\(samples.grouped) samples")
        + (cached > 0 ? ", \(cached.grouped) of earlier days" : "")
        + (gateway.method == .replace ? ", group replaced" : "")
    }
  }

  var document: JSONValue {
    .object([
      "time": .string("\(time)"), "test": .bool(isTest), "metrics": .count(metrics),
      "samples": .count(samples), "cached": .count(cached), "bytes": .count(bytes),
      "nothing_to_push": .bool(isEmpty),
      "gateways": .array(
        gateways.map { gateway in
          .object([
            "gateway": .string(gateway.address.url), "job": .string(gateway.address.job),
            "instance": .string(gateway.address.instance),
            "method": gateway.method.map { .string($0.rawValue) } ?? .null,
            "success": .bool(gateway.method != nil && gateway.failure == nil),
            "error": gateway.failure.map {
              .object(["kind": .string($0.kind.rawValue), "message": .string($0.message)])
            } ?? .null,
          ])
        }),
    ])
  }
}

extension PushFailure {
  /// The failure, worded for the command line.
  func error(_ gateway: String) -> LedgerError {
    let remedy: LedgerError.Remedy =
      switch kind {
      case .offline, .timeout:
        "check the address, the network, and that the gateway runs; the next push reads again"
      case .server: "look at the gateway's own log; the next push reads again"
      case .redirected: "give the address to which it leads, such as https for http"
      case .refused:
        "check the address; if the gateway names a metric, another job pushes it with another type"
      case .unauthorized:
        "check the user (--user) and the password (--password-file), or the token (--token-file)"
      // What OpenSSL and GnuTLS say of an answer in plain http.
      case .untrusted
      where ["wrong version number", "unexpected TLS packet"].contains {
        message.firstRange(of: $0) != nil
      }:
        "use the port that serves https, or http:// in the gateway's address"
      case .untrusted:
        HTTPError.adviceOnCertificateDates(message).map { .text($0) }
          ?? "name the authority that signed the gateway's certificate with --ca-bundle FILE"
      }
    return LedgerError(
      kind == .unauthorized ? .notAuthorized : .storageUnavailable, message.printable,
      key: gateway, remedy: remedy, isRetryable: isTransient)
  }
}
