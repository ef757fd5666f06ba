import HealthModel

/// Which days are to be made again, when, and which markers may then go (R49, R54). Pure.
///
/// A marker is released only by recomputes that began after its batch was stored: each lists the
/// day's batches after that.
struct DayQueue: Hashable, Sendable {
  /// How long a day waits for further batches, in seconds. Today does not wait.
  static let pause = 2.0
  /// While batches of a day keep coming, it waits for so long at most.
  static let longestPause = 10.0
  /// How long a day waits that could not be made, in seconds: the first time, and twice as long each
  /// further time. After so many times it is left to a sweep.
  static let retryPause = 30.0
  static let maximumRetries = 4

  /// One batch: its markers, and the days that it touches and that are not yet made again.
  private struct Ticket: Hashable, Sendable {
    let markers: [String]
    var rest: Set<CalendarDate>
  }

  private var tickets: [Int: Ticket] = [:]
  private var issued = 0
  /// When each day is to be made.
  private var due: [CalendarDate: Double] = [:]
  /// When a day that waits was touched first.
  private var touched: [CalendarDate: Double] = [:]
  private var running: Running?
  /// How often each day could not be made, one time after the other.
  private var failures: [CalendarDate: Int] = [:]

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
  mutating func add(
    _ dates: Set<CalendarDate>, markers: [String], today: CalendarDate, at now: Double
  ) {
    let begun = dates.filter { $0 <= today }
    for date in begun {
      guard date != today else {
        due[date] = min(due[date] ?? now, now)
        continue
      }
      let moment = min(now + Self.pause, touched[date].map { $0 + Self.longestPause } ?? .infinity)
      due[date] = touched[date] == nil ? min(due[date] ?? moment, moment) : moment
      touched[date] = touched[date] ?? now
    }
    // A day that has not begun keeps the marker: a sweep makes it tomorrow.
    guard begun.count == dates.count, !markers.isEmpty, !dates.isEmpty else { return }
    issued += 1
    tickets[issued] = Ticket(markers: markers, rest: dates)
  }

  enum Step: Hashable, Sendable {
    case recompute(CalendarDate)
    /// Nothing is due before this moment.
    case wait(until: Double)
    case idle
  }

  /// What to do next. `recompute` has begun when it is returned.
  mutating func next(at now: Double) -> Step {
    guard let (date, moment) = due.min(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
      return .idle
    }
    guard moment <= now else { return .wait(until: moment) }
    (due[date], touched[date]) = (nil, nil)
    let covered = tickets.filter { $0.value.rest.contains(date) }.keys
    running = Running(date: date, covers: Set(covered))
    return .recompute(date)
  }

  /// The recompute has ended.
  ///
  /// A day that is not settled is tried again a few times; then the markers of its batches are left
  /// to a sweep.
  ///
  /// - Returns: the markers that have served their purpose.
  mutating func done(isSettled: Bool, at now: Double) -> [String] {
    guard let running else { return [] }
    let (date, covers) = (running.date, running.covers)
    self.running = nil
    guard isSettled else {
      let count = (failures[date] ?? 0) + 1
      if count > Self.maximumRetries {
        failures[date] = nil
        for number in covers { tickets[number] = nil }
      } else {
        failures[date] = count
        let moment = now + Self.retryPause * Double(1 << (count - 1))
        due[date] = min(due[date] ?? moment, moment)
      }
      return []
    }
    failures[date] = nil
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

  /// The recompute was broken off, because the server ends: the day waits as before.
  mutating func interrupted(at now: Double) {
    guard let running else { return }
    due[running.date] = min(due[running.date] ?? now, now)
    self.running = nil
  }

  /// How many days wait.
  var count: Int { due.count }
}
