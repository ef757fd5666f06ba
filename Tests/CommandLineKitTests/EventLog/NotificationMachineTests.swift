import HealthModel
import Testing

@testable import HealthEvents

@Suite(.unit) struct NotificationMachineTests {
  private func moment(_ seconds: Int) -> Timestamp {
    Timestamp(secondsSince1970: 1_800_000_000 + seconds)
  }

  private func names(
    _ machine: inout NotificationMachine, _ event: NotificationMachine.Event, at seconds: Int,
    every interval: Int? = nil
  ) -> [String] {
    machine.take(event, at: moment(seconds), every: interval).map(\.name)
  }

  @Test func `a failure is reported once, and so is its end`() {
    var machine = NotificationMachine()
    let failure = NotificationMachine.Event.failed(.push, reason: "503", isOffline: false)
    #expect(names(&machine, .succeeded(.push), at: 0) == [])
    #expect(names(&machine, failure, at: 300) == ["push_failed"])
    for attempt in 2..<200 { #expect(names(&machine, failure, at: attempt * 300) == []) }
    #expect(names(&machine, .succeeded(.push), at: 60_000) == ["push_recovered"])
    #expect(names(&machine, .succeeded(.push), at: 60_300) == [])
    #expect(names(&machine, failure, at: 60_600) == ["push_failed"])
  }

  @Test func `being offline is not notified for an hour`() {
    var machine = NotificationMachine()
    let failure = NotificationMachine.Event.failed(.sync, reason: "no route", isOffline: true)
    for minute in 0..<60 { #expect(names(&machine, failure, at: minute * 60) == []) }
    #expect(names(&machine, failure, at: 3600) == ["sync_failed"])
    #expect(names(&machine, .succeeded(.sync), at: 3700) == ["sync_recovered"])
    #expect(names(&machine, failure, at: 3800) == [])
    #expect(names(&machine, .succeeded(.sync), at: 3900) == [])
  }

  @Test func `a regular message comes once an interval, with its fixed words`() {
    var machine = NotificationMachine()
    var told: [NotificationMachine.Notification] = []
    for attempt in 0...288 {
      told += machine.take(.succeeded(.push), at: moment(attempt * 300), every: 12 * 3600)
    }
    #expect(told.map(\.message) == ["Successfully pushed metrics", "Successfully pushed metrics"])
    #expect(told.map(\.name) == ["push_status", "push_status"])
    let failure = NotificationMachine.Event.failed(.push, reason: "503", isOffline: false)
    _ = machine.take(failure, at: moment(289 * 300), every: 12 * 3600)
    let later = machine.take(failure, at: moment(289 * 300 + 13 * 3600), every: 12 * 3600)
    #expect(later.map(\.message) == ["Push failed, check network/Pushgateway"])
  }

  @Test func `a clock that is set back silences nothing for long`() {
    var machine = NotificationMachine()
    #expect(names(&machine, .succeeded(.sync), at: 1_000_000_000, every: 3600) == [])
    #expect(names(&machine, .succeeded(.sync), at: 0, every: 3600) == [])
    #expect(names(&machine, .succeeded(.sync), at: 3600, every: 3600) == ["sync_status"])
  }

  @Test func `a clock that is set back does not make the hour of being offline longer`() {
    var machine = NotificationMachine()
    let failure = NotificationMachine.Event.failed(.sync, reason: "no route", isOffline: true)
    #expect(names(&machine, failure, at: 1_000_000) == [])
    #expect(names(&machine, failure, at: 0) == [])
    #expect(names(&machine, failure, at: 3599) == [])
    #expect(names(&machine, failure, at: 3600) == ["sync_failed"])
  }

  @Test func `R48: low storage is reported once, until there is room again`() {
    var machine = NotificationMachine()
    #expect(names(&machine, .freeSpace(49_000_000), at: 0) == ["storage_low"])
    #expect(names(&machine, .freeSpace(51_000_000), at: 1) == [])
    #expect(names(&machine, .freeSpace(49_000_000), at: 2) == [])
    #expect(names(&machine, .freeSpace(100_000_000), at: 3) == [])
    #expect(names(&machine, .freeSpace(49_000_000), at: 4) == ["storage_low"])
  }

  @Test func `the state survives being written and read, and damage only repeats a message`() throws
  {
    let folder = try LogFolder()
    defer { folder.remove() }
    let failure = NotificationMachine.Event.failed(.push, reason: "503", isOffline: false)
    func take(_ event: NotificationMachine.Event, _ seconds: Int) throws -> [String] {
      try NotificationState(folder: folder.path).take([event], at: moment(seconds), every: 3600)
        .map(\.name)
    }
    #expect(try take(failure, 0) == ["push_failed"])
    #expect(try take(failure, 1) == [])
    #expect(try take(.freeSpace(1), 2) == ["storage_low"])
    #expect(try take(.freeSpace(1), 3) == [])
    #expect(try take(.succeeded(.push), 4) == ["push_recovered"])
    #expect(try take(.succeeded(.push), 5) == [])
    try folder.write("notifications.json", #"{"push":"#)
    #expect(try take(failure, 6) == ["push_failed"])
    #expect(try folder.mode("notifications.json") == 0o600)
  }
}
