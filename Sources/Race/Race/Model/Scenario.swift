import Foundation
import HealthLedger
import HealthModel

/// The initial state of a race, and what may go wrong in it.
package struct Scenario: Hashable, Sendable {
  /// The day's pointer at the beginning.
  package enum Start: String, CaseIterable, Hashable, Sendable {
    case absent
    case present
    case corrupt
    case dangling
  }

  /// The writers' clocks.
  package enum Clocks: String, CaseIterable, Hashable, Sendable {
    /// One second between one writer and the next.
    case near
    /// All equal, with the same random suffix, so that ids collide.
    case same
    /// 15 minutes ahead and behind.
    case quarter
    /// Ten years ahead and behind.
    case decade
    /// After a restart, the clock is an hour behind.
    case backwards
  }

  package var flaw: LedgerFlaw?
  package var start: Start = .absent
  package var writers = 2
  /// Readers, and how often each resolves the day.
  package var readers = 1
  package var reads = 1
  /// The first two writers publish the same data.
  package var hasTwins = false
  /// The last writer offers data that was captured before all other data of the race (R20).
  package var hasOutdated = false
  package var clocks: Clocks = .near
  /// The number of writes that go wrong.
  package var faults = 1
  /// The number of writers that die, at any moment. Each may be started again.
  package var crashes = 1
  /// Interference by other programs: the pointer deleted or overwritten, a broken revision added.
  package var interference = 0
  /// Whether the store's compare-and-swap is proven. Without it, nobody may write the pointer
  /// (R24).
  package var movesPointer = true
  /// The day has an id of the calendar's last second, which none follows.
  package var isAtCalendarEnd = false
  /// Which faults.
  package var outcomes: [RequestOutcome] = RequestOutcome.faults

  package init() {}

  /// The writer's clock at its first or a later start, in seconds from noon.
  func clock(of writer: Int, starts: Int) -> Int {
    switch clocks {
    case .near: writer
    case .same: 0
    case .quarter: writer % 2 == 0 ? -900 : 900
    case .decade: writer % 2 == 0 ? 315_360_000 : -315_360_000
    case .backwards: starts > 1 ? -3600 : 10 * writer
    }
  }

  /// Whether a publish may reach its last send. Each failure needs a fault, interference, or a move
  /// of the pointer by another start of a writer, which moves it once.
  var canUseUpSends: Bool {
    writers + crashes + faults + 2 * interference >= PublishMachine.maximumAttempts
  }

  /// In a few words, for a table.
  var title: String {
    [
      start.rawValue, writers.counted("writer"), readers.counted("reader"),
      faults.counted("fault"), crashes.counted("crash", "crashes"),
      clocks == .near ? nil : clocks == .same ? "ids collide" : "clocks \(clocks.rawValue)",
      hasTwins ? "two with the same data" : nil, hasOutdated ? "one with older data" : nil,
      movesPointer ? nil : "no compare-and-swap", interference > 0 ? "interference" : nil,
      isAtCalendarEnd ? "an id of the calendar's last second" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  func suffix(of writer: Int) -> Int { clocks == .same ? 0xABC : 0xA00 + writer }
}

/// What happens to one request.
package enum RequestOutcome: String, CaseIterable, Hashable, Sendable {
  case answered = "ok"
  case lostBefore = "lost-before"
  case lostAfter = "lost-after"
  /// No answer in time. The write is applied later, at any moment.
  case delayed
  /// Applied and answered. A copy arrives later.
  case duplicated
  /// Sent twice by the transport. Only the second answer is seen.
  case resent
  case conflict = "409"
  case refused = "412"
  case serverError = "503"
  case errorBody = "200-error"
  /// A read that misses the last write.
  case stale

  /// Those that can happen to a write on any store.
  package static let faults: [RequestOutcome] = [
    .lostBefore, .lostAfter, .delayed, .duplicated, .resent, .conflict, .refused, .serverError,
    .errorBody,
  ]
}

/// The date of the race.
enum RaceDay {
  static let text = "2026-03-10"

  /// 2026-03-10T12:00:00Z.
  static let noon = Timestamp(secondsSince1970: 1_773_144_000)

  static let collector = Collector(
    collectorID: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)),
    deviceID: UUID(uuid: (16, 15, 14, 13, 12, 11, 0x4A, 9, 0x88, 7, 6, 5, 4, 3, 2, 1)))
}
