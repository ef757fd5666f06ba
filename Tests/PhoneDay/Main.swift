import Foundation
import HealthModel
import HealthStreams
import PhoneKit
import Secrets
import Synchronization

/// `PhoneDay FOLDER TICKS` lives through some of a phone's day, ten seconds a tick, until it is killed or
/// has lived so many ticks more. The next start goes on with the next tick.
///
/// What happens on a tick follows from its number alone, so that the test knows it. A line of `taken.txt`
/// says that an entry was taken; it is written after the queue has it.
@main
struct Main {
  static func main() async throws {
    let home = URL(filePath: CommandLine.arguments[1])
    let count = Int(CommandLine.arguments[2]) ?? 1
    let life = try Life(home)
    let service = try PhoneService(life.environment)
    for _ in 0..<count { try await life.tick(service) }
    // What is left, with all in order.
    if CommandLine.arguments.dropFirst(3).first == "end" { try await life.end(service) }
    print("lived to \(life.day.tick)")
  }
}

/// What is around the phone.
final class Life: Sendable {
  private let home: URL
  private let health = RehearsedHealth(limit: 20)
  private let journal: URL
  private let now: Mutex<Timestamp>
  private let free = Mutex(1_000_000_000)
  private let current: Mutex<Day>
  private let hub: String

  var day: Day { current.withLock { $0 } }

  init(_ home: URL) throws {
    self.home = home
    journal = home.appending(path: "tick.txt")
    hub = try String(contentsOf: home.appending(path: "hub.txt"), encoding: .utf8)
    let last = (try? String(contentsOf: journal, encoding: .utf8)).flatMap { Int($0) } ?? 0
    let start = try String(contentsOf: home.appending(path: "start.txt"), encoding: .utf8)
    let day = Day(tick: last, start: Int(start) ?? 0)
    current = Mutex(day)
    now = Mutex(day.clock)
    // HealthKit remembers what it was given before.
    for tick in 0...max(0, last) { try add(Day(tick: tick, start: day.start)) }
  }

  var environment: PhoneEnvironment {
    let permissions = RehearsedPermissions()
    for permission in PhonePermission.allCases { permissions.set(.granted, of: permission) }
    var environment = PhoneEnvironment(
      folder: home.appending(path: "app"),
      secrets: SecretFolder(path: home.appending(path: "secrets").path), health: health,
      permissions: permissions, notify: { _, _ in },
      timeZoneName: { "Europe/Berlin" })
    environment.now = { [self] in now.withLock { $0 } }
    environment.freeSpace = { [self] _ in free.withLock { $0 } }
    return environment
  }

  func tick(_ service: PhoneService) async throws {
    let day = current.withLock { day in
      day.tick += 1
      return day
    }
    // Before anything of the tick: it never happens twice.
    try Data("\(day.tick)".utf8).write(to: journal, options: .atomic)
    try await become(day, service)
    try add(day)
    for entry in try day.sensed() {
      if try await service.take([entry]) == 1 { try taken(entry) }
    }
    if day.tick.isMultiple(of: 30) { _ = await service.run(.processing) }
  }

  func end(_ service: PhoneService) async throws {
    free.withLock { $0 = 1_000_000_000 }
    health.allow(.authorized)
    try await service.change { [hub] in $0.receiver = .hub(url: hub) }
    for _ in 0..<20 {
      now.withLock { $0 = $0.adding(seconds: 600) }
      try await service.retry()
      _ = await service.run(.refresh)
      let counts = try await service.status()?.uploadStats
      if counts?.pending == 0, counts?.failed == 0 { return print("nothing is left") }
    }
    print("left: \(String(describing: try await service.status()?.uploadStats))")
  }

  private func become(_ day: Day, _ service: PhoneService) async throws {
    now.withLock { $0 = day.clock }
    free.withLock { $0 = day.isFull ? 40_000_000 : 1_000_000_000 }
    health.allow(day.isRevoked ? .denied : .authorized)
    // In airplane mode nothing answers: port 9 refuses.
    let url = day.isOffline ? "http://127.0.0.1:9" : hub
    try await service.change { $0.receiver = .hub(url: url) }
  }

  private func add(_ day: Day) throws {
    guard let steps = day.steps else { return }
    try health.add(
      .stepCount, Double(steps), at: day.measured, lasting: 5, number: 1_000_000 + day.tick)
  }

  private func taken(_ entry: StreamEntry) throws {
    let file = try FileHandle(forWritingTo: home.appending(path: "taken.txt"))
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: Data("\(entry.stream.shortName) \(entry.id)\n".utf8))
  }
}
