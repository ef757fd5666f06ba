import HealthLedger
import HealthModel
import ObjectStore

/// Resolves the day repeatedly, as `get` does.
struct LiveReader: Sendable {
  private let crew: LiveCrew
  private let name: String
  private let date: CalendarDate
  private let ledger: HealthLedger

  init(_ crew: LiveCrew, client: Int, _ date: CalendarDate, _ layout: LedgerLayout) {
    (self.crew, self.date) = (crew, date)
    name = "reader-\(client + 1)"
    ledger = HealthLedger(store: crew.store, layout: layout)
  }

  func run() async {
    while crew.goesOn {
      let from = crew.clock()
      do {
        let resolution = try await ledger.resolve(date)
        crew.note(
          .saw(
            RaceHistory.Event(
              client: name, from: from, to: crew.clock(),
              observation: .read(resolution.latest?.id))))
      } catch {
        crew.note(.unanswered(message: error.message))
      }
      try? await Task.sleep(for: .milliseconds(1))
    }
  }
}

/// Reads the raw `latest.json` repeatedly, and each revision that it names.
struct PointerPoller: Sendable {
  private let crew: LiveCrew
  private let store: any ObjectStore
  private let name: String
  private let date: CalendarDate
  private let layout: LedgerLayout

  init(
    _ crew: LiveCrew, number: Int, store: any ObjectStore, _ date: CalendarDate,
    _ layout: LedgerLayout
  ) {
    (self.crew, self.store, self.date, self.layout) = (crew, store, date, layout)
    name = "poller-\(number + 1)"
  }

  func run() async {
    var last: RevisionID?
    while crew.goesOn {
      let look = LiveLook(store: store, layout: layout, date: date, clock: crew.clock)
      do {
        let event = try await look.pointer(client: name)
        crew.note(.saw(event))
        if case .pointer(.names(let id)) = event.observation, id != last {
          crew.note(.saw(try await look.revision(id, client: name)))
          last = id
        }
      } catch {
        crew.note(.unanswered(message: error.description))
      }
      try? await Task.sleep(for: .milliseconds(1))
    }
  }
}

/// Reads single objects and reports each as an event.
struct LiveLook: Sendable {
  let store: any ObjectStore
  let layout: LedgerLayout
  let date: CalendarDate
  let clock: @Sendable () -> Int

  func pointer(client: String) async throws(StoreError) -> RaceHistory.Event {
    let from = clock()
    let object = try await store.get(layout.pointerKey(date), limit: 1 << 16)
    let pointer: RaceHistory.Pointer =
      switch PointerReading(object, date: date) {
      case .absent: .absent
      case .corrupt: .corrupt
      case .valid(let pointer, _): .names(pointer.revisionID)
      }
    return RaceHistory.Event(
      client: client, from: from, to: clock(), observation: .pointer(pointer))
  }

  func revision(
    _ id: RevisionID, client: String
  ) async throws(StoreError) -> RaceHistory.Event {
    let from = clock()
    let object = try await store.get(
      layout.revisionKey(date, id), limit: DailyRevision.maximumBytes)
    return RaceHistory.Event(
      client: client, from: from, to: clock(),
      observation: .revision(id, digest: object.map { RecordingStore.digest($0.body) }))
  }
}
