import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import StoreTesting
import Testing

@testable import IngestServer

/// R65: a person is added whole, or the same request can be sent again.
@Suite(.unit) struct PersonAdditionTests {
  private let memory = MemoryStore()
  private static let moment = Timestamp(secondsSince1970: 1_773_144_000)

  private let boss = AuthenticatedDevice(name: "boss", endpoints: [.people])

  /// What an administrator does on a server over a store.
  private func administration(_ store: any ObjectStore) throws -> PeopleAdministration {
    let terms = PersonTerms(
      zones: ReportingZones("Etc/UTC"), isZoneSet: false, goals: [:], units: .stored)
    let own = PersonHub(
      streams: StreamStore(store: store, compression: HubCompression()), terms: TermsCache(terms))
    return PeopleAdministration(
      hub: try Hub(
        own, tokens: TokenCache(.object(#require(TokenObject(store, prefix: "")))),
        compression: HubCompression(), now: { Self.moment }, remedy: { _ in "" },
        report: { _ in }))
  }

  private func token(_ person: String, zone: String? = "Europe/Berlin") throws
    -> PeopleAdministration.NewToken
  {
    var new = PeopleAdministration.NewToken(person: try #require(PersonID(person)), name: "phone")
    if let zone { new.choices = [.timezone: zone] }
    return new
  }

  private var tokens: [AccessToken] {
    get async throws { try await #require(TokenObject(memory, prefix: "")).read().tokens }
  }

  /// How many requests adding a person takes; after each of them the server may die.
  @Test(arguments: [nil, "Europe/Berlin"])
  func `R65: a server that dies while it adds a person has taken no name`(zone: String?)
    async throws
  {
    let new = try token("ann", zone: zone)
    for last in 0..<100 {
      let dying = FaultInjectingStore(
        memory,
        plan: FaultPlan(
          positions: Dictionary(uniqueKeysWithValues: (last + 1..<last + 200).map { ($0, .lost) })))
      if (try? await administration(dying).add(new, by: boss, at: Self.moment)) != nil {
        #expect(last >= 4, "it has made requests")
        break
      }
      #expect(try await tokens.isEmpty, "after \(last) requests")
      try #require(last < 99)
    }
    let kept = try await tokens
    #expect(kept.map(\.name) == ["phone"] && kept.first?.device.person == new.person)
    let people = People(of: HealthLedger(store: memory))
    #expect(try await people.holds(new.person))
    #expect(try await people.choices(of: new.person)[.timezone] == zone)
  }

  @Test func `R65: a name that is taken is refused before anything is changed`() async throws {
    _ = try await administration(memory).add(try token("ann"), by: boss, at: Self.moment)
    let before = memory.contents
    for person in ["ann", "zoe"] {
      let other = try token(person, zone: "Asia/Tokyo")
      let failure = await #expect(throws: RequestFailure.self) {
        try await administration(memory).add(other, by: boss, at: Self.moment)
      }
      #expect(failure?.code == "name_taken")
    }
    #expect(memory.contents == before)
  }
}
