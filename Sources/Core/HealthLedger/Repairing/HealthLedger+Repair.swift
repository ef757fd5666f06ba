public import HealthModel
import ObjectStore

extension HealthLedger {
  /// Moves a day's pointer forward to the newest readable revision (R38), never backwards. It
  /// writes no revision and deletes nothing.
  ///
  /// A dry run only reads, so it does not determine whether the store has compare-and-swap.
  /// - Throws: `LedgerError` if the store failed or refused every write.
  public func repairPointer(
    _ date: CalendarDate, dryRun: Bool
  ) async throws(LedgerError) -> PointerRepair {
    if !dryRun, try await !hasCompareAndSwap() { return .impossible(.noCompareAndSwap) }
    var machine = RepairMachine(date, isDryRun: dryRun)
    var action = machine.start()
    while true {
      switch action {
      case .resolve:
        action = machine.handle(.resolved(try await uncached.resolve(date)))
      case .survey:
        action = machine.handle(.surveyed(try await surveyed(date)))
      case .writePointer(let pointer, let precondition):
        action = machine.handle(.put(try await write(pointer, precondition)))
      case .backOff(let attempt):
        do {
          try await environment.backOff(attempt)
        } catch {
          throw LedgerError(StoreError(.cancelled, "interrupted while repairing \(date)"))
        }
        action = machine.handle(.rested)
      case .finish(let repair):
        return repair
      case .giveUp:
        throw LedgerError(
          .storageUnavailable, "the store refused every write of the pointer",
          key: layout.pointerKey(date).rawValue, rule: "R38",
          remedy: "try again later; readers find the newest revision by listing",
          isRetryable: true)
      }
    }
  }

  private func surveyed(_ date: CalendarDate) async throws(LedgerError) -> SurveyedDay {
    var survey = DaySurvey(date, movesPointer: true)
    var action = survey.start(known: nil, readsPointer: true)
    do throws(StoreError) {
      while let event = try await answer(action, on: date) { action = survey.handle(event) }
    } catch {
      throw LedgerError(error)
    }
    return survey.day
  }

  /// The answer to a request of a survey; nil where it has ended.
  private func answer(
    _ action: DaySurvey.Action, on date: CalendarDate
  ) async throws(StoreError) -> PublishMachine.Event? {
    switch action {
    case .readPointer: .pointer(try await readPointer(date))
    case .listRevisions: .revisions(try await listRevisions(date, after: nil))
    case .readRevision(let id): .revision(try await readRevision(date, id))
    case .end: nil
    }
  }

  private func hasCompareAndSwap() async throws(LedgerError) -> Bool {
    do {
      return try await store.conditionalWrites() == .compareAndSwap
    } catch {
      throw LedgerError(error)
    }
  }

  private func write(
    _ pointer: LatestPointer, _ precondition: Precondition
  ) async throws(LedgerError) -> PublishMachine.PutAnswer {
    do {
      let key = layout.pointerKey(pointer.date)
      return .init(try await store.put(key, pointer.encoded, if: precondition))
    } catch {
      throw LedgerError(error)
    }
  }
}
