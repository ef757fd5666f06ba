import HealthModel
import HealthReport

/// What the hub did lately, and when each token posted last (R59): no health values, no secrets,
/// nothing that a client chose. Pure.
struct Activity: Hashable, Sendable {
  /// The most lines that are kept.
  static let maximumLines = 50

  /// A request that brought data, or was to.
  struct Post: Hashable, Sendable {
    let at: Timestamp
    /// The name of the token.
    let device: String
    let path: String
    let status: Int
    var received: Int?
    var inserted: Int?
    var refused: Int?
    /// Why it was refused.
    var code: String?

    init(at: Timestamp, device: String, path: String, status: Int) {
      (self.at, self.device, self.path, self.status) = (at, device, path, status)
    }
  }

  private(set) var lines: [DashboardStatus.Line] = []
  private(set) var posts: [String: Timestamp] = [:]
  private(set) var sweptAt: Timestamp?

  mutating func add(_ post: Post) {
    let isFailure = post.status >= 400
    if !isFailure { posts[post.device] = post.at }
    var words = ["\(post.device) posted to \(post.path)"]
    if let count = post.received { words.append("\(count) received") }
    if let count = post.inserted { words.append("\(count) new") }
    if let count = post.refused, count > 0 { words.append("\(count) refused") }
    if isFailure { words.append("\(post.status) \(post.code ?? "")") }
    add(words.joined(separator: ", "), at: post.at, isFailure: isFailure)
  }

  /// A day was made again; a day that did not change is not reported.
  ///
  /// - Returns: whether anything is to be shown.
  mutating func add(_ event: DayRecompute.Event, at now: Timestamp) -> Bool {
    switch event {
    case .day(let date, .success(let day), _) where day.needsZone:
      add("\(date) waits for a time zone to be set", at: now, isFailure: true)
    case .day(let date, .success(let day), _):
      switch day.outcome {
      case .settled(_, let wrote) where !wrote.isEmpty,
        .unsettled(let wrote) where !wrote.isEmpty:
        add("\(date) was published", at: now, isFailure: false)
      case .unsettled: add("\(date) could not be finished", at: now, isFailure: true)
      case .newerRules:
        add("\(date) was made by a newer version and was left as it is", at: now, isFailure: false)
      case .settled, .nothing, nil: return false
      }
    case .day(let date, .failure(let error), _):
      add("\(date) could not be made: \(error.code.rawValue)", at: now, isFailure: true)
    case .sweep(.success): sweptAt = now
    case .zones(.correct), .zones(.move):
      add("the time zone of the days was changed", at: now, isFailure: false)
    case .zones(.differ):
      add("days are made in another time zone than the server's", at: now, isFailure: true)
    case .zones(.keep): return false
    case .sweep(.failure(let error)):
      add("what waits in the store can't be read: \(error.code.rawValue)", at: now, isFailure: true)
    }
    return true
  }

  mutating func add(_ text: String, at now: Timestamp, isFailure: Bool) {
    lines.insert(DashboardStatus.Line(at: now, text: text, isFailure: isFailure), at: 0)
    if lines.count > Self.maximumLines { lines.removeLast() }
  }
}
