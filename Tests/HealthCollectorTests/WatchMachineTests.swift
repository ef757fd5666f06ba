import HealthCollector
import HealthModel
import StoreTesting
import Testing

/// When a live view reads, publishes and begins a day (R58), by two moved clocks.
@Suite(.unit) struct WatchMachineTests {
  /// A machine in a zone, with clocks that a test moves.
  struct Watched {
    var machine: WatchMachine
    var uptime = 0
    var wall: Timestamp
    var zone: String

    init(
      _ wall: String = "2026-07-10T12:00:00Z", zone: String = "Europe/Berlin",
      publishes: Bool = true
    ) throws {
      self.wall = try #require(Timestamp(wall))
      self.zone = zone
      let date = try ReportingDay.date(at: self.wall, timeZoneName: zone)
      machine = WatchMachine(
        at: .init(wall: self.wall, date: date, uptime: 0), publishes: publishes)
    }

    mutating func handle(_ event: WatchMachine.Event) throws -> [WatchMachine.Action] {
      let now = wall.adding(seconds: uptime / 1000)
      let date = try ReportingDay.date(at: now, timeZoneName: zone)
      return machine.handle(event, at: .init(wall: now, date: date, uptime: uptime))
    }

    /// Time passes while the machine is awake.
    mutating func pass(_ milliseconds: Int) throws -> [WatchMachine.Action] {
      uptime += milliseconds
      return try handle(.woke)
    }

    /// The clock on the wall jumps: it was set, or the machine slept.
    mutating func jump(seconds: Int) throws -> [WatchMachine.Action] {
      wall = wall.adding(seconds: seconds)
      return try handle(.woke)
    }

    /// Begun, with the source and the store read.
    mutating func settle() throws {
      _ = try handle(.woke)
      _ = try handle(.lookedBack(succeeded: true))
      _ = try handle(.read(isNews: false))
    }
  }

  @Test func `R58: everything is read at first, and again within a second of a change`() throws {
    var watched = try Watched()
    #expect(try watched.handle(.woke) == [.read, .lookBack])
    #expect(try watched.handle(.read(isNews: true)) == [])
    #expect(try watched.handle(.lookedBack(succeeded: true)) == [])
    #expect(try watched.pass(60_000) == [.publish])
    #expect(try watched.handle(.published(succeeded: true)) == [])
    #expect(try watched.handle(.changed) == [])
    #expect(watched.machine.dueAt == watched.uptime + 150)
    #expect(try watched.pass(149) == [])
    #expect(try watched.pass(1) == [.read])
  }

  @Test func `changes without a pause are read within 600 ms, too (R58)`() throws {
    var watched = try Watched()
    try watched.settle()
    _ = try watched.handle(.changed)
    var waited = 0
    while try watched.pass(100) != [.read] {
      waited += 100
      _ = try watched.handle(.changed)
      try #require(waited < 1000)
    }
    #expect(waited == 500)
    // What changes while it is read is read again.
    _ = try watched.handle(.changed)
    #expect(try watched.handle(.read(isNews: true)) == [])
    #expect(try watched.pass(150) == [.read])
  }

  @Test func `R58: a source that can't be read is tried again, ever less often, and is not live`()
    throws
  {
    var watched = try Watched()
    try watched.settle()
    _ = try watched.handle(.changed)
    #expect(try watched.pass(150) == [.read])
    var waits: [Int] = []
    for _ in 0..<12 {
      _ = try watched.handle(.readFailed)
      #expect(!watched.machine.isLive)
      let due = try #require(watched.machine.dueAt)
      waits.append((due - watched.uptime) / 1000)
      var actions = try watched.pass(due - watched.uptime)
      if actions.contains(.lookBack) {
        _ = try watched.handle(.lookedBack(succeeded: true))
        if !actions.contains(.read) {
          let rest = try #require(watched.machine.dueAt) - watched.uptime
          waits[waits.count - 1] += rest / 1000
          actions = try watched.pass(rest)
        }
      }
      #expect(actions.contains(.read))
    }
    #expect(Array(waits.prefix(9)) == [1, 2, 4, 8, 16, 32, 64, 128, 256])
    #expect(waits.max() == 300)
    // A change is news enough to look at once.
    _ = try watched.handle(.readFailed)
    _ = try watched.handle(.changed)
    #expect(try watched.pass(150).contains(.read))
    _ = try watched.handle(.read(isNews: false))
    #expect(watched.machine.isLive)
  }

  @Test func `news is published once, after a pause, and within a minute (R58)`() throws {
    var watched = try Watched()
    try watched.settle()
    func news() throws {
      _ = try watched.handle(.changed)
      #expect(try watched.pass(150) == [.read])
      _ = try watched.handle(.read(isNews: true))
    }
    try news()
    #expect(watched.machine.hasUnpublishedNews)
    #expect(try watched.pass(9000) == [])
    try news()
    #expect(try watched.pass(9999) == [])
    #expect(try watched.pass(1) == [.publish])
    #expect(watched.machine.hasUnpublishedNews)
    _ = try watched.handle(.published(succeeded: true))
    #expect(!watched.machine.hasUnpublishedNews)
    // News without end is published all the same.
    try news()
    let begun = watched.uptime
    var published = false
    while !published, watched.uptime - begun < 120_000 {
      published = try watched.pass(5000).contains(.publish)
      if !published {
        _ = try watched.handle(.changed)
        published = try watched.pass(150).contains(.publish)
        if !published { _ = try watched.handle(.read(isNews: true)) }
      }
    }
    #expect((55_000...66_000).contains(watched.uptime - begun))
  }

  @Test
  func `what is due waits for the reading that has begun, and then is published (R58)`()
    throws
  {
    var watched = try Watched()
    try watched.settle()
    _ = try watched.handle(.changed)
    #expect(try watched.pass(150) == [.read])
    _ = try watched.handle(.read(isNews: true))
    #expect(try watched.pass(9850) == [])
    _ = try watched.handle(.changed)
    #expect(try watched.pass(149) == [])
    #expect(try watched.pass(1) == [.read])
    #expect(try watched.pass(20_000) == [])
    #expect(try watched.handle(.read(isNews: false)) == [.publish])
  }

  @Test func `R58: a store that is gone is tried again after 30 s and more, and then has the news`()
    throws
  {
    var watched = try Watched()
    try watched.settle()
    _ = try watched.handle(.changed)
    _ = try watched.pass(150)
    _ = try watched.handle(.read(isNews: true))
    #expect(try watched.pass(10_000) == [.publish])
    _ = try watched.handle(.published(succeeded: false))
    #expect(try watched.pass(29_999) == [])
    #expect(try watched.pass(1) == [.publish])
    _ = try watched.handle(.published(succeeded: false))
    // More news does not make it ask a failing store more often.
    _ = try watched.handle(.changed)
    _ = try watched.pass(150)
    _ = try watched.handle(.read(isNews: true))
    #expect(try watched.pass(30_000) == [])
    #expect(try watched.pass(30_000) == [.publish])
    _ = try watched.handle(.published(succeeded: true))
    #expect(!watched.machine.hasUnpublishedNews)
    // The days before: gone, and back.
    #expect(try watched.pass(900_000) == [.lookBack])
    _ = try watched.handle(.lookedBack(succeeded: false))
    #expect(try watched.pass(5000) == [.lookBack])
    _ = try watched.handle(.lookedBack(succeeded: true))
    #expect(try watched.pass(5000) == [])
  }

  @Test func `R58: a view that does not publish never does`() throws {
    var watched = try Watched(publishes: false)
    _ = try watched.handle(.woke)
    _ = try watched.handle(.read(isNews: true))
    _ = try watched.handle(.lookedBack(succeeded: true))
    #expect(!watched.machine.hasUnpublishedNews)
    #expect(try watched.pass(800_000) == [])
  }

  @Test(arguments: [
    ("2026-07-10T00:00:00+02:00", 24, "2026-07-11"),
    ("2026-03-29T00:00:00+01:00", 23, "2026-03-30"),
    ("2026-10-25T00:00:00+02:00", 25, "2026-10-26"),
  ])
  func `a new day begins at midnight, after 23, 24 or 25 hours (R58)`(
    start: String, hours: Int, next: String
  ) throws {
    let begin = try #require(ReportingDay.LocalMoment(start)).timestamp
    var watched = try Watched("\(begin.adding(seconds: 60))")
    try watched.settle()
    let rest = hours * 3_600_000 - 60_000
    // Up to the last second, tick by tick, nothing but looks at the days before.
    #expect(try watched.pass(rest - 1000) == [.lookBack])
    _ = try watched.handle(.lookedBack(succeeded: true))
    let date = try #require(CalendarDate(next))
    #expect(try watched.pass(1000) == [.beginDay(date), .read, .lookBack])
  }

  @Test func `R58: after a sleep everything is read again, on a new day or not`() throws {
    var watched = try Watched()
    try watched.settle()
    #expect(try watched.jump(seconds: 4) == [])
    #expect(try watched.jump(seconds: 3600) == [.read, .lookBack])
    try watched.settle()
    let actions = try watched.jump(seconds: 20 * 3600)
    let next = try #require(CalendarDate("2026-07-11"))
    #expect(actions == [.beginDay(next), .read, .lookBack])
  }

  @Test func `R58: a clock that is set back within the day has everything read again`() throws {
    var watched = try Watched()
    try watched.settle()
    #expect(try watched.jump(seconds: -4) == [])
    #expect(try watched.jump(seconds: -3600) == [.read, .lookBack])
  }

  @Test func `R58: a clock that is set back, and a traveller's zone, begin the day that they show`()
    throws
  {
    var watched = try Watched("2026-07-10T22:30:00Z")
    try watched.settle()
    let back = try #require(CalendarDate("2026-07-10"))
    #expect(try watched.jump(seconds: -7200) == [.beginDay(back), .read, .lookBack])
    try watched.settle()
    watched.zone = "Asia/Tokyo"
    let tokyo = try #require(CalendarDate("2026-07-11"))
    #expect(try watched.handle(.woke) == [.beginDay(tokyo), .read, .lookBack])
  }

  @Test func `R58: whatever happens, news is read, and published in the end`() throws {
    for seed in 1...300 {
      var random = SplitMix64(seed: UInt64(seed))
      var watched = try Watched()
      // What the source has, what was read when, and what is in the store.
      var (version, reading, seen, publishing, stored) = (1, 0, 0, 0, 0)
      var (isReading, isLooking, isPublishing) = (false, false, false)
      func act(_ actions: [WatchMachine.Action]) {
        for action in actions {
          switch action {
          case .read:
            #expect(!isReading)
            (isReading, reading) = (true, version)
          case .lookBack:
            #expect(!isLooking)
            isLooking = true
          case .publish:
            #expect(!isPublishing)
            (isPublishing, publishing) = (true, seen)
          case .beginDay: break
          }
        }
      }
      func finish(fails: Bool) throws {
        if isReading {
          isReading = false
          if fails {
            act(try watched.handle(.readFailed))
          } else {
            let isNews = seen != reading
            seen = reading
            act(try watched.handle(.read(isNews: isNews)))
          }
        }
        if isLooking {
          isLooking = false
          act(try watched.handle(.lookedBack(succeeded: !fails)))
        }
        if isPublishing {
          isPublishing = false
          if !fails { stored = publishing }
          act(try watched.handle(.published(succeeded: !fails)))
        }
      }
      act(try watched.handle(.woke))
      for _ in 0..<80 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          version += 1
          act(try watched.handle(.changed))
        case 1: act(try watched.pass(Int.random(in: 1...400, using: &random)))
        case 2: act(try watched.pass(Int.random(in: 1...90_000, using: &random)))
        case 3: act(try watched.jump(seconds: Int.random(in: -90_000...90_000, using: &random)))
        default: try finish(fails: random.next() % 3 == 0)
        }
      }
      // Nothing more happens but time.
      for _ in 0..<20 {
        try finish(fails: false)
        act(try watched.pass(60_000))
      }
      try finish(fails: false)
      #expect(seen == version && stored == version, "seed \(seed)")
      #expect(!watched.machine.hasUnpublishedNews && watched.machine.isLive)
    }
  }
}
