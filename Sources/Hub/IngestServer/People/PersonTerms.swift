package import HealthLedger
package import HealthModel
package import HealthSources
package import StreamDays
import Synchronization

/// The zone, goals and units that apply to a person (R65): their own settings, or else the server's. Pure.
package struct PersonTerms: Hashable, Sendable {
  package private(set) var zones: ReportingZones
  package private(set) var isZoneSet: Bool
  /// The zones that the store keeps for them, if nobody has set one here.
  package var kept: StoredZones?
  /// What to reach in a day, in the units of documents.
  package private(set) var goals: [DailyMetric: Double]
  package private(set) var units: PersonalUnits

  package init(
    zones: ReportingZones, isZoneSet: Bool, goals: [DailyMetric: Double], units: PersonalUnits
  ) {
    (self.zones, self.isZoneSet) = (zones, isZoneSet)
    (self.goals, self.units) = (goals, units)
  }

  /// The zones that decide what today is (R43).
  package var currentZones: ReportingZones {
    !isZoneSet && kept?.isKept == true ? kept?.zones ?? zones : zones
  }

  /// Whether the person has no zone, so that the server's machine's stands in.
  package var isZoneMissing: Bool { !isZoneSet && kept?.isKept != true }

  /// These terms with a person's own settings in their place.
  ///
  /// - Throws: `LedgerError` INVALID_ARGUMENTS for a value that can't be used. Then nothing may be made
  ///   for the person.
  package func with(_ choices: PersonChoices) throws(LedgerError) -> PersonTerms {
    var terms = self
    if let text = choices[.timezone] {
      do throws(LedgerError) {
        terms.zones = try ReportingZones(parsing: text)
      } catch {
        throw PersonChoices.refusal(
          .timezone, error.message,
          "use an IANA name such as Europe/Berlin, and after it NAME@YYYY-MM-DD for each move")
      }
      terms.isZoneSet = true
    }
    if let goals = try choices.chosenGoals { terms.goals.merge(goals) { $1 } }
    if let units = try choices.chosenUnits { terms.units = units }
    return terms
  }
}

/// A person's terms while a server runs (R65). They are read before anything is made for the person, and
/// again after a minute, because a day in a wrong zone would have to be corrected.
package final class TermsCache: Sendable {
  package typealias Reading = @Sendable () async throws(LedgerError) -> PersonChoices

  private struct State {
    var terms: PersonTerms?
    var readAt: ContinuousClock.Instant?
    /// Counts known changes. Terms that were read before a change are not used.
    var changes = 0
    var reading: Task<Result<PersonTerms, LedgerError>, Never>?
  }

  package let usual: PersonTerms
  /// Nil if there are no personal settings, and no zone that a store may keep.
  private let read: Reading?
  /// Reads the zones that the store keeps; nil if it has none.
  private let readKept: @Sendable () async throws(LedgerError) -> StoredZones?
  private let maximumAge: Duration
  private let state: Mutex<State>

  /// The terms of a store without people: the server's settings.
  package init(_ usual: PersonTerms) {
    (self.usual, read, maximumAge, readKept) = (usual, nil, .zero, { nil })
    state = Mutex(State(terms: usual))
  }

  /// Those of a person.
  ///
  /// - Parameters:
  ///   - usual: the server's settings.
  ///   - maximumAge: how long they are used before they are read again.
  ///   - kept: reads the zones that the store keeps, which apply if nobody has set one.
  ///   - reading: reads the person's own settings.
  package init(
    _ usual: PersonTerms, maximumAge: Duration = .seconds(60),
    kept: @escaping @Sendable () async throws(LedgerError) -> StoredZones? = { nil },
    reading: @escaping Reading
  ) {
    (self.usual, read, self.maximumAge, readKept) = (usual, reading, maximumAge, kept)
    state = Mutex(State())
  }

  /// The terms as they were read last; nil before they were.
  package var known: PersonTerms? { state.withLock(\.terms) }

  /// The terms, read again if that is due. Callers at the same time share one reading.
  ///
  /// - Throws: `LedgerError` if they can't be read. Then nothing may be made for the person.
  @discardableResult
  package func current() async throws(LedgerError) -> PersonTerms {
    guard let read else { return usual }
    let (terms, task): (PersonTerms?, Task<Result<PersonTerms, LedgerError>, Never>?) =
      state.withLock { state in
        if let terms = state.terms, let readAt = state.readAt, .now - readAt < maximumAge {
          return (terms, nil)
        }
        if let reading = state.reading { return (nil, reading) }
        let changes = state.changes
        let reading = Task { await self.read(by: read, changes) }
        state.reading = reading
        return (nil, reading)
      }
    if let terms { return terms }
    guard let task else { return usual }
    return try await task.value.get()
  }

  /// For pages: the terms, or those last read while they can't be read.
  package func lately() async throws(LedgerError) -> PersonTerms {
    do throws(LedgerError) {
      return try await current()
    } catch {
      guard let known else { throw error }
      return known
    }
  }

  /// They have changed: the next caller reads them.
  package func forget() {
    state.withLock { state in
      state.changes += 1
      (state.readAt, state.reading) = (nil, nil)
    }
  }

  private func read(
    by read: Reading, _ changes: Int
  ) async -> Result<PersonTerms, LedgerError> {
    let result: Result<PersonTerms, LedgerError>
    do throws(LedgerError) {
      var terms = try usual.with(try await read())
      if !terms.isZoneSet { terms.kept = try await readKept() }
      result = .success(terms)
    } catch {
      result = .failure(error)
    }
    state.withLock { state in
      guard state.changes == changes else { return }
      state.reading = nil
      if case .success(let terms) = result { (state.terms, state.readAt) = (terms, .now) }
    }
    return result
  }
}
