import CommandLineKit
import HealthExports
import HealthModel

/// The section `push` of `status`: how the pushes to each gateway go.
struct PushStatusWords {
  private let records: [PushRecord]
  private let now: Timestamp

  init(_ records: [PushRecord], now: Timestamp) { (self.records, self.now) = (records, now) }

  func lines(_ terminal: Terminal) -> [String] {
    records.flatMap { record in
      let state = terminal.styled(
        record.failures == 0 ? "ok" : "failing", record.failures == 0 ? .good : .bad)
      var lines = [
        "", terminal.styled("push to \(record.gateway.printable)", .strong) + "  \(state)",
        "instance      \(record.instance.printable) of job \(record.job.printable)",
        "last success  "
          + (record.lastSuccess.map { moment($0) + ", \(record.samples.grouped) samples" }
            ?? "never"),
      ]
      if let failure = record.lastFailure {
        lines.append(
          terminal.styled(
            "last error    \(moment(failure.at)): \(failure.message.printable)",
            record.failures == 0 ? .faint : .bad))
      }
      return lines
    }
  }

  private func moment(_ seconds: Int) -> String {
    let moment = Timestamp(secondsSince1970: seconds)
    return "\(moment), \(moment.ago(now))"
  }

  var document: JSONValue {
    func text(_ seconds: Int?) -> JSONValue {
      seconds.map { .string("\(Timestamp(secondsSince1970: $0))") } ?? .null
    }
    return .array(
      records.map { record in
        .object([
          "gateway": .string(record.gateway), "job": .string(record.job),
          "instance": .string(record.instance), "last_push": text(record.lastAttempt),
          "last_successful_push": text(record.lastSuccess),
          "failures_since": .count(record.failures), "samples": .count(record.samples),
          "last_error": record.lastFailure.map {
            .object([
              "kind": .string($0.kind.rawValue), "message": .string($0.message),
              "date": text($0.at),
            ])
          } ?? .null,
        ])
      })
  }
}
