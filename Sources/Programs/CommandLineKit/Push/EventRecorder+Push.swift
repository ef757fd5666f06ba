import HealthEvents
import HealthExports
import HealthLedger
import HealthModel

extension EventRecorder {
  /// Logs what a push did, a line for each gateway, and notifies the person of what is news.
  func took(_ report: PushReport) async {
    if report.isEmpty { record(LogEvent(.nothingToPush, at: report.time, PushReport.nothing)) }
    guard report.pushes.contains(where: { $0.method != nil }) else { return }
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
    if let failure = report.failures.first {
      await notify(
        [
          .failed(
            .push, reason: failure.message,
            isOffline: report.failures.allSatisfy { $0.kind == .offline })
        ], at: report.time)
    } else {
      await notify([.succeeded(.push)], at: report.time)
    }
  }

  /// Logs that no values were available.
  func pushFailed(_ error: LedgerError, at now: Timestamp) async {
    record(LogEvent(.pushFailed, at: now, error.message))
    await notify([.failed(.push, reason: error.message, isOffline: error.isRetryable)], at: now)
  }
}
