import HealthLedger
import HealthModel
import HealthSources
import StreamDays
import Synchronization
import TestSupport
import Testing

@testable import IngestServer

/// R65: what holds for a person while a server runs.
@Suite(.unit) struct PersonTermsTests {
  private static let usual = PersonTerms(
    zones: ReportingZones("Etc/UTC"), isZoneSet: false, goals: [.steps: 10_000], units: .stored)

  private static func choices(_ values: [PersonChoices.Name: String]) -> PersonChoices {
    var choices = PersonChoices()
    for (name, value) in values { choices[name] = value }
    return choices
  }

  @Test func `R65: what a person has not chosen is the server's`() throws {
    let none = try Self.usual.with(PersonChoices())
    #expect(none == Self.usual)
    let some = try Self.usual.with(
      Self.choices([.timezone: "Asia/Tokyo", .goals: "stand_hours=12", .units: "lb"]))
    #expect(some.zones == ReportingZones("Asia/Tokyo") && some.isZoneSet)
    #expect(some.goals == [.steps: 10_000, .standHours: 12])
    #expect(some.units == PersonalUnits("lb"))
    let steps = try Self.usual.with(Self.choices([.goals: "steps=8000"]))
    #expect(steps.goals == [.steps: 8000] && !steps.isZoneSet)
  }

  @Test(arguments: [(nil, true, false), ("Pacific/Honolulu", false, false), (nil, false, true)])
  func `R43: the zone that the store keeps applies where nobody has set one`(
    chosen: String?, isKept: Bool, isMissing: Bool
  ) async throws {
    let kept = StoredZones(ReportingZones("Asia/Tokyo"), isSet: false, isNamed: isKept)
    let cache = TermsCache(
      Self.usual, kept: { kept },
      reading: { chosen.map { Self.choices([.timezone: $0]) } ?? PersonChoices() })
    let terms = try await cache.current()
    #expect(terms.currentZones.description == chosen ?? (isKept ? "Asia/Tokyo" : "Etc/UTC"))
    #expect(terms.isZoneMissing == isMissing)
    // What derives reads the store's zones itself.
    #expect(terms.zones.description == chosen ?? "Etc/UTC")
  }

  @Test(arguments: [
    (PersonChoices.Name.timezone, "Mars/Olympus"), (.timezone, "Europe/Berlin@2026-01-01"),
    (.goals, "steps"), (.goals, "steps=-1"), (.units, "parsec"),
  ])
  func `R64: a value that can't be used is refused`(name: PersonChoices.Name, text: String) {
    #expect(throws: LedgerError.self) { try Self.usual.with(Self.choices([name: text])) }
  }

  /// A store of one person's settings that counts how often it is asked.
  private final class StubChoices: Sendable {
    let held = Mutex<(zone: String?, fails: Bool, asked: Int)>((nil, false, 0))

    func cache(_ age: Duration) -> TermsCache {
      TermsCache(PersonTermsTests.usual, maximumAge: age) { () throws(LedgerError) in
        let (zone, fails) = self.held.withLock { held in
          held.asked += 1
          return (held.zone, held.fails)
        }
        if fails { throw LedgerError(.storageUnavailable, "away") }
        return zone.map { PersonTermsTests.choices([.timezone: $0]) } ?? PersonChoices()
      }
    }
  }

  @Test func `R65: settings are read once while young, by all who ask at once`() async throws {
    let stub = StubChoices()
    stub.held.withLock { $0.zone = "Asia/Tokyo" }
    let cache = stub.cache(.seconds(3600))
    #expect(cache.known == nil)
    try await withThrowingTaskGroup(of: PersonTerms.self) { group in
      for _ in 0..<20 { group.addTask { try await cache.current() } }
      for try await terms in group { #expect(terms.zones == ReportingZones("Asia/Tokyo")) }
    }
    #expect(stub.held.withLock(\.asked) == 1)
    stub.held.withLock { $0.zone = "Europe/Paris" }
    #expect(try await cache.current().zones == ReportingZones("Asia/Tokyo"))
    cache.forget()
    #expect(try await cache.current().zones == ReportingZones("Europe/Paris"))
  }

  @Test func `R65: while settings can't be read nothing is made, and pages stay`() async throws {
    let stub = StubChoices()
    let cache = stub.cache(.zero)
    stub.held.withLock { $0.fails = true }
    await #expect(throws: LedgerError.self) { try await cache.current() }
    await #expect(throws: LedgerError.self) { try await cache.lately() }
    #expect(cache.known == nil, "the server's settings are not the person's")
    stub.held.withLock { ($0.fails, $0.zone) = (false, "Asia/Tokyo") }
    #expect(try await cache.current().zones == ReportingZones("Asia/Tokyo"))
    stub.held.withLock { $0.fails = true }
    await #expect(throws: LedgerError.self) { try await cache.current() }
    #expect(try await cache.lately().zones == ReportingZones("Asia/Tokyo"))
  }
}
