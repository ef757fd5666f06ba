package import HealthModel

/// What a live view does next (R58): when it reads its source again, looks at the days before,
/// publishes, and begins a new day.
///
/// Pure: it takes events and the times of two clocks, and answers with actions. The clock on the wall
/// says which day it is, and may jump; the other one only runs while the machine is awake, and times
/// the pauses.
package struct WatchMachine: Hashable, Sendable {
  /// Both clocks.
  package struct Moment: Hashable, Sendable {
    /// The clock on the wall.
    package var wall: Timestamp
    /// The date of that moment in the reporting zone.
    package var date: CalendarDate
    /// Milliseconds since any moment, without those in which the machine slept.
    package var uptime: Int

    package init(wall: Timestamp, date: CalendarDate, uptime: Int) {
      (self.wall, self.date, self.uptime) = (wall, date, uptime)
    }
  }

  package enum Event: Hashable, Sendable {
    /// Something about the source changed, or may have.
    case changed
    /// Time has passed.
    case woke
    /// The source was read. `isNews` if any number differs from those before.
    case read(isNews: Bool)
    /// The source could not be read.
    case readFailed
    /// The days before today were read from the store, or could not be.
    case lookedBack(succeeded: Bool)
    /// What is known was published, or could not be.
    case published(succeeded: Bool)
  }

  package enum Action: Hashable, Sendable {
    case read
    case lookBack
    case publish
    /// The date is another one now.
    case beginDay(CalendarDate)
  }

  /// How long things wait, in milliseconds.
  package enum Pause {
    /// From a change to the reading: a writer writes in several steps.
    package static let settling = 150
    /// The same at most, while changes go on: with a second's tick, news shows within a second.
    package static let longestSettling = 600
    /// From news to the publish, so that many changes make one revision.
    package static let joining = 10_000
    /// The same at most, while news goes on.
    package static let longestJoining = 60_000
    /// Between looks at the days before today.
    package static let lookingBack = 900_000
    /// The longest between attempts after failures.
    package static let longestRetry = 300_000
    /// The clocks of a machine that was awake differ by less.
    package static let sleep = 5000
  }

  private let publishes: Bool
  private var date: CalendarDate
  /// The wall's clock less the other one, in milliseconds.
  private var difference: Int

  private var isReading = false
  private var changedWhileReading = false
  private var readAt: Int?
  private var firstChange: Int?
  private var readFailures = 0

  private var isLookingBack = false
  private var lookBackAt: Int?
  private var lookBackFailures = 0

  private var isPublishing = false
  private var publishAt: Int?
  private var firstNews: Int?
  private var publishFailures = 0

  /// A view that begins at a moment, with everything to read.
  package init(at moment: Moment, publishes: Bool) {
    (self.publishes, date) = (publishes, moment.date)
    difference = Self.difference(moment)
    (readAt, lookBackAt) = (moment.uptime, moment.uptime)
  }

  /// Whether the numbers are as the source has them, as far as this view knows.
  package var isLive: Bool { readFailures == 0 }

  /// Whether news waits to be published, or is being published.
  package var hasUnpublishedNews: Bool { isPublishing || publishAt != nil }

  /// When `woke` is due at the latest, by the clock that times the pauses; nil if nothing waits.
  package var dueAt: Int? {
    [isReading ? nil : readAt, isLookingBack ? nil : lookBackAt, isPublishing ? nil : publishAt]
      .compactMap(\.self).min()
  }

  /// What to do after an event.
  package mutating func handle(_ event: Event, at moment: Moment) -> [Action] {
    let now = moment.uptime
    switch event {
    case .changed: noteChange(at: now)
    case .woke: break
    case .read(let isNews):
      (isReading, readFailures) = (false, 0)
      if isNews { noteNews(at: now) }
      if changedWhileReading { noteChange(at: now) }
    case .readFailed:
      isReading = false
      readFailures += 1
      readAt = now + Self.retry(readFailures, from: 1000)
      if changedWhileReading { noteChange(at: now) }
    case .lookedBack(let succeeded):
      isLookingBack = false
      lookBackFailures = succeeded ? 0 : lookBackFailures + 1
      lookBackAt = now + (succeeded ? Pause.lookingBack : Self.retry(lookBackFailures, from: 5000))
    case .published(let succeeded):
      isPublishing = false
      publishFailures = succeeded ? 0 : publishFailures + 1
      if !succeeded { publishAt = now + Self.retry(publishFailures, from: 30_000) }
    }
    return lookAtClocks(moment) + takeDue(now)
  }

  /// The date may have changed, forwards or backwards; and after a sleep events may be lost.
  private mutating func lookAtClocks(_ moment: Moment) -> [Action] {
    let jumped = abs(Self.difference(moment) - difference) > Pause.sleep
    if jumped {
      difference = Self.difference(moment)
      (readAt, lookBackAt) = (moment.uptime, moment.uptime)
    }
    guard moment.date != date else { return [] }
    date = moment.date
    (readAt, lookBackAt) = (moment.uptime, moment.uptime)
    return [.beginDay(date)]
  }

  private mutating func takeDue(_ now: Int) -> [Action] {
    var actions: [Action] = []
    if !isReading, let due = readAt, due <= now {
      (isReading, changedWhileReading, readAt, firstChange) = (true, false, nil, nil)
      actions.append(.read)
    }
    if !isLookingBack, let due = lookBackAt, due <= now {
      (isLookingBack, lookBackAt) = (true, nil)
      actions.append(.lookBack)
    }
    // What is being read may be newer than what would be published.
    if !isPublishing, !isReading, let due = publishAt, due <= now {
      (isPublishing, publishAt, firstNews) = (true, nil, nil)
      actions.append(.publish)
    }
    return actions
  }

  private mutating func noteChange(at now: Int) {
    if isReading {
      changedWhileReading = true
      return
    }
    changedWhileReading = false
    let first = firstChange ?? now
    firstChange = first
    readAt = min(now + Pause.settling, first + Pause.longestSettling)
  }

  private mutating func noteNews(at now: Int) {
    guard publishes else { return }
    let first = firstNews ?? now
    firstNews = first
    // A store that fails is not asked more often because there is news.
    guard publishFailures == 0 || publishAt == nil else { return }
    publishAt = min(now + Pause.joining, first + Pause.longestJoining)
  }

  private static func difference(_ moment: Moment) -> Int {
    moment.wall.secondsSince1970 * 1000 - moment.uptime
  }

  /// Twice as long after each failure.
  private static func retry(_ failures: Int, from first: Int) -> Int {
    min(Pause.longestRetry, first << min(failures - 1, 10))
  }
}
