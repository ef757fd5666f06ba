package import HealthModel

/// Which days are to be made again, when, and which markers may then go (R49, R54). Pure.
///
/// A marker is released only by recomputes that began after its batch was stored: each lists the
/// day's batches after that. It is not released at all once one of them was given up: what that one
/// has sent may arrive after a later one has ended, and only a sweep, which looks at markers that are
/// old enough, sees it for certain.
package struct DayQueue: Hashable, Sendable {
  /// How long a day waits for further batches, in seconds. Today does not wait. A day that was made
  /// shortly before waits twice as long each time, so that batches that keep arriving do not each give
  /// a revision.
  package static let pause = 2.0
  package static let maximumPause = 60.0
  /// How long a day waits that could not be made, in seconds: the first time, and twice as long each
  /// further time. After so many times it is left to a sweep.
  package static let retryPause = 30.0
  package static let maximumRetries = 4
  /// The same where only the tables do not have the day: again and again, because only this program
  /// writes its rows.
  package static let tablesPause = 5.0
  package static let maximumTablesPause = 300.0

  /// One batch: its markers, and the days that it touches and that are not yet made again.
  private struct Ticket: Hashable, Sendable {
    let markers: [String]
    var rest: Set<CalendarDate>
    let added: Double
  }

  /// How long after its batch was stored a marker covers a recompute that begins, in seconds. A
  /// receipt takes 60, the recompute 60, and what it sends may arrive 900 later; a sweeper removes the
  /// marker after 1,200.
  package static let coverSeconds = 120.0

  package init() {}

  private var tickets: [Int: Ticket] = [:]
  private var issued = 0
  /// When each day is to be made.
  private var due: [CalendarDate: Double] = [:]
  private var running: Running?
  /// How often each day could not be made, one time after the other.
  private var failures: [CalendarDate: Int] = [:]
  /// When each day was made last, and how long it waits if a batch arrives soon after.
  private var made: [CalendarDate: Made] = [:]

  private struct Made: Hashable, Sendable {
    let moment: Double
    let pause: Double

    /// Whether a batch that arrives now is one of a row of them.
    func isRecent(at now: Double) -> Bool { now - moment < 2 * pause }
  }

  /// How a recompute ended.
  package enum Ending: Hashable, Sendable {
    /// The day is what its batches say.
    case settled
    /// It was published, and further batches have arrived meanwhile.
    case overtaken
    /// It is published, and not in the tables.
    case behindTables
    case failed
  }

  private struct Running: Hashable, Sendable {
    let date: CalendarDate
    /// The batches that were stored before it began.
    let covers: Set<Int>
  }

  /// A batch is stored.
  ///
  /// - Parameters:
  ///   - dates: the days that it touches.
  ///   - markers: its markers, to be released when all its days are settled.
  ///   - now: seconds since any fixed moment.
  package mutating func add(
    _ dates: Set<CalendarDate>, markers: [String], today: CalendarDate, at now: Double
  ) {
    let begun = dates.filter { $0 <= today }
    for date in begun {
      let moment = date == today ? now : now + pause(date, at: now)
      due[date] = min(due[date] ?? moment, moment)
    }
    // A day that has not begun keeps the marker: a sweep makes it tomorrow.
    guard begun.count == dates.count, !markers.isEmpty, !dates.isEmpty else { return }
    issued += 1
    tickets[issued] = Ticket(markers: markers, rest: dates, added: now)
  }

  package enum Step: Hashable, Sendable {
    case recompute(CalendarDate)
    /// Nothing is due before this moment.
    case wait(until: Double)
    case idle
  }

  /// What to do next. `recompute` has begun when it is returned.
  package mutating func next(at now: Double) -> Step {
    guard let (date, moment) = due.min(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
      return .idle
    }
    guard moment <= now else { return .wait(until: moment) }
    due[date] = nil
    let covered = tickets.filter { $0.value.rest.contains(date) }.keys
    running = Running(date: date, covers: Set(covered))
    return .recompute(date)
  }

  /// Whether a marker of this program's own covers the recompute that has begun: nobody else removes
  /// it before what the recompute sends has arrived.
  package func isCovered(at now: Double) -> Bool {
    running?.covers.contains { number in
      tickets[number].map { now - $0.added <= Self.coverSeconds } ?? false
    } ?? false
  }

  /// The recompute has ended.
  ///
  /// A day that could not be made is tried again a few times, and the markers of its batches are left
  /// to a sweep.
  ///
  /// - Returns: the markers that have served their purpose.
  package mutating func done(_ ending: Ending, at now: Double) -> [String] {
    guard let running else { return [] }
    let (date, covers) = (running.date, running.covers)
    self.running = nil
    func again(at moment: Double) { due[date] = min(due[date] ?? moment, moment) }
    let count = (failures[date] ?? 0) + 1
    switch ending {
    case .settled, .overtaken: note(date, madeAt: now)
    case .behindTables:
      failures[date] = count
      again(
        at: now + min(Self.maximumTablesPause, Self.tablesPause * Double(1 << min(count - 1, 10))))
      return []
    case .failed:
      leave(covers)
      if count > Self.maximumRetries {
        failures[date] = nil
      } else {
        failures[date] = count
        again(at: now + Self.retryPause * Double(1 << (count - 1)))
      }
      return []
    }
    failures[date] = nil
    guard ending == .settled else {
      again(at: now + pause(date, at: now))
      return []
    }
    var released: [String] = []
    for number in covers.sorted() {
      tickets[number]?.rest.remove(date)
      if let ticket = tickets[number], ticket.rest.isEmpty {
        released += ticket.markers
        tickets[number] = nil
      }
    }
    return released
  }

  /// Leaves the markers of these batches to a sweep.
  private mutating func leave(_ covers: Set<Int>) {
    for number in covers { tickets[number] = nil }
  }

  /// Leaves all markers to a sweep, because they may name other days now.
  package mutating func leaveMarkers() { tickets = [:] }

  private func pause(_ date: CalendarDate, at now: Double) -> Double {
    guard let made = made[date], made.isRecent(at: now) else { return Self.pause }
    return made.pause
  }

  private mutating func note(_ date: CalendarDate, madeAt now: Double) {
    made[date] = Made(moment: now, pause: min(Self.maximumPause, 2 * pause(date, at: now)))
    // What is long ago no longer matters.
    if made.count > 1000 { made = made.filter { $0.value.isRecent(at: now) } }
  }

  /// The recompute was broken off, because the server ends: the day waits, without a failure.
  package mutating func interrupted(at now: Double) {
    guard let running else { return }
    leave(running.covers)
    due[running.date] = min(due[running.date] ?? now, now)
    self.running = nil
  }

  /// How many days wait.
  package var count: Int { due.count }
}
