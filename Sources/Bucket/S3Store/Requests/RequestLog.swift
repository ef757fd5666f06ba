import HTTPClient
import Logging

extension S3Client {
  /// Logs method, key, outcome and time, but never a header.
  func log(
    _ request: S3Request, _ result: SendResult, attempt: Int, took: Duration,
    _ next: Exchange.Next
  ) {
    let level: Logger.Level = next == .finished ? .trace : .debug
    guard logger.logLevel <= level else { return }
    logger.log(
      level: level, "request",
      metadata: [
        "method": "\(request.method.rawValue)", "key": "\(request.key ?? "-")",
        "outcome": "\(result.outcome)", "attempt": "\(attempt)",
        "milliseconds": "\(took / .milliseconds(1))",
      ])
  }
}

extension SendResult {
  /// For a log.
  fileprivate var outcome: String {
    switch self {
    case .success(let response): "\(response.status)"
    case .refused(let failure): "\(failure.status) \(failure.code ?? "-")"
    case .broken(let error): error.code.rawValue
    }
  }
}
