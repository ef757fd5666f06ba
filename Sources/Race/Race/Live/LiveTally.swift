/// The counts of a race.
package struct LiveTally: Hashable, Sendable {
  /// Acknowledged publishes, by outcome (R27).
  package var outcomes: [String: Int] = [:]
  /// Publishes that were begun, including retries.
  package var attempts = 0
  /// Publishes that ended with an error and were retried.
  package var failures = 0
  /// Publishes that never ended.
  package var givenUp = 0
  package var resolves = 0
  package var looks = 0
  package var revisionsRead = 0
  /// Reads without an answer.
  package var unansweredReads = 0
  package var faults: [String: Int] = [:]
  /// The most requests of one publish, and the total.
  package var mostRequests = 0
  package var requests = 0
  /// Some of the errors that clients saw.
  package var errors: [String: Int] = [:]

  package init() {}

  package var acknowledged: Int { outcomes.values.reduce(0, +) }

  /// Adds the counts of another part of the race.
  package mutating func add(_ other: LiveTally) {
    outcomes.merge(other.outcomes) { $0 + $1 }
    faults.merge(other.faults) { $0 + $1 }
    errors.merge(other.errors) { $0 + $1 }
    attempts += other.attempts
    failures += other.failures
    givenUp += other.givenUp
    resolves += other.resolves
    looks += other.looks
    revisionsRead += other.revisionsRead
    unansweredReads += other.unansweredReads
    requests += other.requests
    mostRequests = max(mostRequests, other.mostRequests)
  }

  mutating func end(_ outcome: String, requests: Int) {
    outcomes[outcome, default: 0] += 1
    count(requests)
  }

  mutating func fail(_ message: String, requests: Int) {
    failures += 1
    count(requests)
    note(message)
  }

  mutating func unanswered(_ message: String) {
    unansweredReads += 1
    note(message)
  }

  private mutating func count(_ requests: Int) {
    self.requests += requests
    mostRequests = max(mostRequests, requests)
  }

  private mutating func note(_ message: String) {
    guard errors.count < 20 || errors[message] != nil else { return }
    errors[message, default: 0] += 1
  }
}
