package import HealthLedger
package import HealthModel
package import ObjectStore

/// What is looked at when a round is over: every acknowledged revision, the pointer, the answer.
package struct FieldCheck: Sendable {
  private let look: FieldLook
  private let ledger: HealthLedger

  package init(
    store: any ObjectStore, layout: LedgerLayout, date: CalendarDate,
    clock: @escaping @Sendable () -> Int
  ) {
    look = FieldLook(store: store, layout: layout, date: date, clock: clock)
    ledger = HealthLedger(store: store, layout: layout)
  }

  /// Reads `revisions` back, some at a time, then the pointer and what the day resolves to.
  package func run(_ revisions: Set<RevisionID>) async throws(LedgerError) -> [RaceHistory.Event] {
    var events: [RaceHistory.Event] = []
    let ids = revisions.sorted()
    for start in stride(from: 0, to: ids.count, by: 16) {
      let part = ids[start..<min(start + 16, ids.count)]
      let results = await withTaskGroup(of: Result<RaceHistory.Event, StoreError>.self) { group in
        for id in part {
          group.addTask {
            do throws(StoreError) {
              return .success(try await look.revision(id, client: Self.name))
            } catch {
              return .failure(error)
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      do throws(StoreError) {
        for result in results { events.append(try result.get()) }
      } catch {
        throw LedgerError(error)
      }
    }
    do throws(StoreError) {
      events.append(try await look.pointer(client: Self.name))
    } catch {
      throw LedgerError(error)
    }
    let from = look.clock()
    let answer = try await ledger.resolve(look.date)
    events.append(
      RaceHistory.Event(
        client: Self.name, from: from, to: look.clock(), observation: .read(answer.latest?.id)))
    return events
  }

  private static let name = "check"
}
