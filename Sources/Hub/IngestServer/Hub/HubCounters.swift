import HealthExports
package import HealthLedger
package import HealthModel
import Synchronization

/// What the server counts for `/metrics` (R54): no health values, no names of devices.
package final class HubCounters: Sendable {
  private struct State {
    var requests: [Request: Int] = [:]
    var received: [String: Int] = [:]
    var bytes: [String: Int] = [:]
    var seconds: [String: Histogram] = [:]
    var days: [String: Int] = [:]
    var markers: [PersonID?: Int] = [:]
    var rows: [String: Int] = [:]
    var rowsWaiting: [PersonID?: Int] = [:]
    var withoutZone: Set<Day> = []
  }

  private struct Day: Hashable {
    let person: PersonID?
    let date: CalendarDate
  }

  private struct Request: Hashable {
    let path: String
    let method: String
    let status: Int
  }

  private struct Histogram {
    static let bounds = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 60]
    var counts = [Int](repeating: 0, count: bounds.count)
    var count = 0
    var sum = 0.0

    mutating func add(_ value: Double) {
      for (index, bound) in Self.bounds.enumerated() where value <= bound { counts[index] += 1 }
      count += 1
      sum += value
    }
  }

  private let state = Mutex(State())

  package init() {}

  func add(_ record: RequestRecord) {
    state.withLock { state in
      let request = Request(path: record.path, method: record.method, status: record.status)
      state.requests[request, default: 0] += 1
      state.received[record.path, default: 0] += record.counts.received ?? 0
      state.bytes[record.path, default: 0] += record.bytes
      state.seconds[record.path, default: Histogram()].add(Double(record.milliseconds) / 1000)
    }
  }

  /// A day was made again: `published`, `unchanged`, `nothing`, `needs-zone`, `unsettled` or `failed`.
  package func addDay(_ outcome: String) {
    state.withLock { $0.days[outcome, default: 0] += 1 }
  }

  /// Whether a day waits for somebody to set the time zone.
  ///
  /// - Returns: whether that is news.
  package func set(needsZone: Bool, _ date: CalendarDate, of person: PersonID?) -> Bool {
    let day = Day(person: person, date: date)
    return state.withLock { state in
      needsZone ? state.withoutZone.insert(day).inserted : state.withoutZone.remove(day) != nil
    }
  }

  var daysWithoutZone: Int { state.withLock(\.withoutZone.count) }

  package func set(markers: Int, of person: PersonID?) {
    state.withLock { $0.markers[person] = markers }
  }

  /// The rows of a day were written, or could not be.
  ///
  /// - Parameter waiting: how many days' rows are not what the ledger says.
  package func addRows(isStored: Bool, waiting: Int, of person: PersonID?) {
    state.withLock { state in
      state.rows[isStored ? "stored" : "failed", default: 0] += 1
      state.rowsWaiting[person] = waiting
    }
  }

  /// How many days' rows are not what the ledger says.
  var rowsWaiting: Int { state.withLock { $0.rowsWaiting.values.reduce(0, +) } }

  /// - Parameter waiting: how many days wait to be made again.
  func families(waiting: Int) -> [MetricFamily] {
    let state = state.withLock { $0 }
    func samples(_ label: String, _ counts: [String: Int]) -> [MetricSample] {
      counts.sorted { $0.key < $1.key }.map {
        MetricSample(labels: [.init(label, $0.key)], value: Double($0.value))
      }
    }
    func gauge(_ name: String, _ help: String, _ value: Int) -> MetricFamily {
      MetricFamily("s3healthd_\(name)", .gauge, help: help, [MetricSample(value: Double(value))])
    }
    return [
      MetricFamily(
        "s3healthd_requests_total", .counter, help: "Requests that were answered.",
        state.requests.sorted {
          ($0.key.path, $0.key.method, $0.key.status) < ($1.key.path, $1.key.method, $1.key.status)
        }.map {
          MetricSample(
            labels: [
              .init("endpoint", $0.key.path), .init("method", $0.key.method),
              .init("status", "\($0.key.status)"),
            ], value: Double($0.value))
        }),
      MetricFamily(
        "s3healthd_received_total", .counter,
        help: "Entries and records that were acknowledged.", samples("endpoint", state.received)),
      MetricFamily(
        "s3healthd_body_bytes_total", .counter, help: "Bytes of bodies as they were sent.",
        samples("endpoint", state.bytes)),
      MetricFamily(
        "s3healthd_request_seconds", .histogram, help: "How long requests took.",
        state.seconds.sorted { $0.key < $1.key }.flatMap { path, histogram in
          MetricSample.histogram(
            labels: [.init("endpoint", path)], bounds: Histogram.bounds,
            counts: histogram.counts, count: histogram.count, sum: histogram.sum)
        }),
      MetricFamily(
        "s3healthd_days_total", .counter,
        help: "Days that were made again, by what became of them.",
        samples("outcome", state.days)),
      gauge("days_waiting", "Days that wait to be made again.", waiting),
      gauge(
        "days_without_zone", "Days that are not made until a time zone is set.",
        state.withoutZone.count),
      gauge(
        "markers", "Markers that the last sweep has left.", state.markers.values.reduce(0, +)),
      MetricFamily(
        "s3healthd_table_days_total", .counter,
        help: "Days whose rows were written to the database, or could not be.",
        samples("outcome", state.rows)),
      gauge(
        "table_days_waiting", "Published days that are not in the database yet.",
        state.rowsWaiting.values.reduce(0, +)),
    ]
  }
}

/// What the log records of one request: no health values, no tokens, nothing that a client chose (R54).
package struct RequestRecord: Hashable, Sendable, CustomStringConvertible {
  package let at: Timestamp
  /// `GET`, `HEAD`, `POST`; `-` for others.
  package var method = "-"
  /// The path of a route; `-` for others.
  package var path = "-"
  package var status = 0
  package var device: String?
  /// Whose token it is; nil for a token without a person (R65).
  package var person: PersonID?
  /// Bytes of the body as they were sent.
  package var bytes = 0
  package var counts = Answer.DataCounts()
  package var milliseconds = 0
  /// The code of a refusal, and what was wrong behind the server.
  package var code: String?
  package var cause: String?

  package init(at: Timestamp) { self.at = at }

  package var description: String {
    var words = ["\(at)", method, path, "\(status)"]
    if let device { words.append("device=\(device)") }
    if let person { words.append("person=\(person)") }
    if let received = counts.received { words.append("received=\(received)") }
    if let inserted = counts.inserted { words.append("inserted=\(inserted)") }
    if let duplicates = counts.duplicates { words.append("duplicates=\(duplicates)") }
    if let refused = counts.refused, refused > 0 { words.append("refused=\(refused)") }
    if let ignored = counts.ignored, ignored > 0 { words.append("ignored=\(ignored)") }
    if let leftOut = counts.leftOut { words.append("left_out=\(JSONValue.string(leftOut).quoted)") }
    words += ["bytes=\(bytes)", "ms=\(milliseconds)"]
    if let code { words.append("code=\(code)") }
    if let cause { words.append("cause=\(JSONValue.string(cause).quoted)") }
    return words.joined(separator: " ")
  }
}

extension JSONValue {
  fileprivate var quoted: String { String(decoding: canonicalBytes, as: UTF8.self) }
}
