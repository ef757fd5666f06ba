public import HealthModel
import ObjectStore

extension HealthLedger {
  /// Finds the newest readable revision of a date (R30), with at most three requests if the pointer
  /// is valid.
  ///
  /// - Throws: `LedgerError` if the store failed. A day without data is not an error.
  public func resolve(_ date: CalendarDate) async throws(LedgerError) -> Resolution {
    try await resolve(date, known: nil)
  }

  func resolve(
    _ date: CalendarDate, known: DayKnowledge?
  ) async throws(LedgerError) -> Resolution {
    if let obstacle = known?.obstacle { throw LedgerError(obstacle) }
    var machine = ResolveMachine(date)
    var action = machine.start(known: known)
    var versions = known?.versions ?? [:]
    do throws(StoreError) {
      while true {
        switch action {
        case .readPointer:
          let reading = try await readPointer(date, listed: known?.pointerVersion)
          action = machine.handle(.pointer(reading))
        case .listRevisions(let after):
          let listed = try await listVersions(date, after: after)
          for revision in listed { versions[revision.id] = revision.version }
          action = machine.handle(.revisions(listed.map(\.id)))
        case .readRevision(let id):
          let reading = try await readRevision(date, id, listed: versions[id])
          action = machine.handle(.revision(reading))
        case .finish(let resolution):
          return resolution
        }
      }
    } catch {
      throw LedgerError(error)
    }
  }

  /// Every revision id of a date, oldest first (R32).
  public func history(_ date: CalendarDate) async throws(LedgerError) -> [RevisionID] {
    try await listedHistory(date).map(\.id)
  }

  /// The same, each with its version if the store reports one.
  func listedHistory(_ date: CalendarDate) async throws(LedgerError) -> [ListedRevision] {
    do {
      return try await listVersions(date, after: nil).sorted { $0.id < $1.id }
    } catch {
      throw LedgerError(error)
    }
  }

  /// Reads one listed revision for a decision about its day; nil if it is gone.
  package func decodedRevision(
    _ date: CalendarDate, _ id: RevisionID
  ) async throws(LedgerError) -> DailyRevision.Decoded? {
    do throws(StoreError) {
      return try await readRevision(date, id).decoded(date: date, id: id)
    } catch {
      throw LedgerError(error)
    }
  }

  /// Reads one revision by its id, readable or not.
  ///
  /// - Throws: `LedgerError` DATA_NOT_FOUND if there is no such object.
  public func revision(
    _ date: CalendarDate, _ id: RevisionID
  ) async throws(LedgerError) -> (body: [UInt8], decoded: DailyRevision.Decoded) {
    let key = layout.revisionKey(date, id)
    let object: StoredObject?
    do {
      object =
        if let found = try await document(key) { found } else { try await readIfListed(key) }
    } catch {
      throw LedgerError(error)
    }
    guard let object else {
      throw LedgerError(
        .dataNotFound, "revision \(id) of \(date) does not exist", key: key.rawValue,
        remedy: .listRevisions(of: date))
    }
    return (object.body, DailyRevision.decode(object.body, date: date, id: id))
  }
}
