package import ArgumentParser
import HTTPClient
import HealthEvents
package import HealthExports
package import HealthLedger
import HealthModel

/// What one push did, as text for people and as the document of docs/OUTPUT.md.
package struct PushReport: CommandResult {
  let time: Timestamp
  let isTest: Bool
  /// What became of the push to each gateway for which there were values.
  var pushes: [GatewayPush]
  /// Why there were none for the others, or no turn.
  package var error: LedgerError?

  init(_ pushes: [GatewayPush], at time: Timestamp, isTest: Bool = false) {
    (self.pushes, self.time, self.isTest) = (pushes, time, isTest)
  }

  /// Whether there was nothing to push, to any gateway.
  package var isEmpty: Bool { !isTest && !pushes.isEmpty && pushes.allSatisfy { $0.metrics == 0 } }

  package var failures: [PushFailure] { pushes.compactMap(\.failure) }

  /// 0 if every gateway took the values, or there were none.
  package var exitCode: ExitCode {
    if failures.contains(where: { $0.kind == .unauthorized }) {
      return LedgerError.Code.notAuthorized.exitCode
    }
    return failures.isEmpty ? .success : LedgerError.Code.storageUnavailable.exitCode
  }

  /// Says why pushes failed, and that there was nothing to push.
  package func remark(_ format: OutputFormat) {
    if isEmpty { StandardStreams.remark("warning: \(Self.nothing)") }
    for push in pushes {
      if let failure = push.failure { StandardStreams.say(failure.error(push.address.url)) }
    }
  }

  /// Says on stderr where pushes began to fail, or work again.
  func remarkChanges() {
    for push in pushes where push.method != nil {
      if let failure = push.failure, push.failuresBefore == 0 {
        StandardStreams.remark("\(time) push to \(push.address.url) failed: \(failure.message)")
      } else if push.failure == nil, push.failuresBefore > 0 {
        StandardStreams.remark("\(time) push to \(push.address.url) works again")
      }
    }
  }

  /// The warning, in R57's words.
  static let nothing =
    "No metrics to push: the store has no readable day; `s3health ls` shows what it has"

  package func lines(_ terminal: Terminal) -> [String] {
    if failures.isEmpty, Diagnostics.isQuiet { return [] }
    return pushes.filter { $0.method != nil }.map { push in
      let failed = push.failure != nil
      let mark = terminal.styled(failed ? "failed" : "ok    ", failed ? .bad : .good)
      let place = "\(mark)  \(push.address.url.printable)  \(push.address.instance.printable)"
      guard !failed else { return place }
      if isTest { return place + "  pushed one number and deleted it" }
      return "\(place)  \(push.metrics.counted("metric")), \(push.samples.counted("sample"))"
        + (push.cached > 0 ? ", \(push.cached.grouped) of earlier days" : "")
        + (push.method == .replace ? ", group replaced" : "")
    }
  }

  package var document: any Encodable {
    let gateways = pushes.map { push in
      [
        "gateway": push.address.url, "job": push.address.job, "instance": push.address.instance,
        "method": push.method?.rawValue, "metrics": push.metrics, "samples": push.samples,
        "cached": push.cached, "bytes": push.bytes,
        "success": push.method != nil && push.failure == nil,
        "error": push.failure.map {
          ["kind": $0.kind.rawValue, "message": $0.message] as Document
        },
      ] as Document
    }
    return [
      "time": time, "test": isTest, "nothing_to_push": isEmpty, "gateways": gateways,
    ] as Document
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

extension EventRecorder {
  /// Logs what a push did, a line for each gateway, and notifies the person of what is news.
  func took(_ report: PushReport) async {
    if report.isEmpty { record(LogEvent(.nothingToPush, at: report.time, PushReport.nothing)) }
    if let error = report.error { record(LogEvent(.pushFailed, at: report.time, error.message)) }
    for push in report.pushes where push.method != nil {
      var details: [String: JSONValue] = [
        "gateway": .string(push.address.url), "instance": .string(push.address.instance),
      ]
      if let failure = push.failure {
        details["kind"] = .string(failure.kind.rawValue)
        record(LogEvent(.pushFailed, at: report.time, failure.message, details: details))
      } else {
        details["samples"] = .number(Double(push.samples))
        details["bytes"] = .number(Double(push.bytes))
        let isNews = push.failuresBefore > 0
        record(
          LogEvent(
            isNews ? .pushRecovered : .pushSucceeded, at: report.time,
            isNews
              ? "the gateway took the metrics; pushes that failed before: \(push.failuresBefore)"
              : "the gateway took the metrics", details: details))
      }
    }
    if let reason = report.error?.message ?? report.failures.first?.message {
      let areOffline = report.failures.allSatisfy { $0.kind == .offline }
      await notify(
        [
          .failed(
            .push, reason: reason, isOffline: areOffline && report.error?.isRetryable != false)
        ], at: report.time)
    } else if report.pushes.contains(where: { $0.method != nil }) {
      await notify([.succeeded(.push)], at: report.time)
    }
  }
}
