import CommandLineKit
import HealthLedger
import ObjectStore
import Race
import S3Store

/// Where a race takes place: the store, its endpoints, and what its conditional writes guarantee.
struct RaceSite: Sendable {
  /// The store's name for people.
  let name: String
  private(set) var scratch: ScratchSpace
  /// The settings with which the processes find the store. Each process has its own endpoint.
  let settings: GivenSettings
  let isVerbose: Bool
  let isQuiet: Bool
  /// The endpoints among which the writers are divided; nil means that of the settings.
  private(set) var directEndpoints: [String?]
  /// The proxies in front of each of them, if there are any.
  var proxies: [String] = []
  /// Faults that the processes inject themselves.
  var faults = LiveFaults()
  var verdict: WorkerOrder.Verdict?
  /// The verdict, for people.
  var finding = ""
  /// True if deleted objects stay as old versions.
  var isVersioned = false
  var movesPointer = true
  var assumesCompareAndSwap = false

  /// The URLs to which the proxies connect; empty for a folder.
  private(set) var upstreams: [String]
  /// The URLs that did not answer before the race, which leaves them out.
  private(set) var leftOut: [String] = []
  let caBundle: String?
  private var opened: [OpenedStore]
  /// The endpoints that did not answer before this round. Nobody races over them.
  private var silent: Set<Int> = []

  /// Opens the store. Sends nothing yet.
  init(_ store: StoreOptions, _ plan: LivePlan) throws(LedgerError) {
    let endpoints: [String?] = store.endpointUrl.isEmpty ? [nil] : store.endpointUrl
    var given = store.given
    var opened: [OpenedStore] = []
    for endpoint in endpoints {
      opened.append(
        try OpenedStore(try StoreSettings(given, at: endpoint), for: .writing) { options in
          // A node that is down must not hold up the others: who needs it asks again.
          options.pace.sleep = { try await Task.sleep(for: min($0, .milliseconds(300))) }
        })
    }
    guard let first = opened.first else { throw LedgerError(.internal, "a race has no store") }
    if case .directory = first.backing, !store.endpointUrl.isEmpty {
      throw LedgerError(
        .invalidArguments, "a folder has no endpoint", remedy: "leave out --endpoint-url")
    }
    let configurations = opened.compactMap { store in
      if case .s3(let bucket, _) = store.backing { bucket.configuration } else { nil }
    }
    upstreams = configurations.map(\.effectiveEndpoint.description)
    caBundle = configurations.first?.caBundle
    self.opened = opened
    name = first.name
    directEndpoints = endpoints
    // A stalled answer must not take longer than a round. The proxies stall on purpose.
    if given[.timeout] == nil { given.take(.timeout, "5", by: "s3race") }
    settings = given
    (isVerbose, isQuiet) = (store.speech.verbose, store.speech.quiet)
    let folder = plan.scratch ?? String(UInt64.random(in: .min ... .max), radix: 36)
    scratch = ScratchSpace(
      store: first.ledger.store,
      prefix: "\(first.ledger.layout.prefix).s3health-race/\(folder)")
    assumesCompareAndSwap = plan.assumesCompareAndSwap
  }

  /// The endpoint for the writers of process `number`.
  func endpoint(_ number: Int) -> String? {
    let all = proxies.isEmpty ? directEndpoints : proxies
    let answering = all.indices.filter { !silent.contains($0) }
    return answering.isEmpty ? all[number % all.count] : all[answering[number % answering.count]]
  }

  /// Looks which of several endpoints answer, and leaves the others out until the next look.
  mutating func look() async {
    guard opened.count > 1 else { return }
    let prefix = scratch.prefix
    silent = await withTaskGroup(of: Int?.self) { group in
      for (number, store) in opened.enumerated() {
        group.addTask { await Self.answers(store, below: prefix) ? nil : number }
      }
      return await group.reduce(into: []) { if let number = $1 { $0.insert(number) } }
    }
    if let first = opened.indices.first(where: { !silent.contains($0) }) {
      scratch = ScratchSpace(store: opened[first].ledger.store, prefix: prefix)
    }
  }

  /// Whether an endpoint answers within three seconds.
  private static func answers(_ store: OpenedStore, below prefix: String) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        (try? await store.ledger.store.list(ListRequest(prefix: prefix + "/", limit: 1))) != nil
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(3))
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }

  /// Claims the scratch folder and determines what the store guarantees. Of several endpoints, those that do
  /// not answer are left out, also one that dies meanwhile.
  ///
  /// - Parameter left: gets the folders in which something may lie.
  mutating func prepare(noting left: ScratchFolders) async throws(LedgerError) {
    await leaveOutUnreachable()
    for attempt in 1... {
      do throws(LedgerError) {
        try await scratch.claim { left.add(scratch.prefix) }
        left.remove(scratch.prefix)
        for folder in try await scratch.neighbours() {
          StandardStreams.remark(
            "\(Program.name): another race has scratch objects below \(folder)/; "
              + "remove them unless it is still running")
        }
        return try await inspect(noting: left)
      } catch {
        let isLast = attempt == Self.maximumAttempts || opened.count == 1 || Task.isCancelled
        guard error.isRetryable, !isLast else { throw error }
      }
      // A node may have died, or been started again.
      await leaveOutUnreachable()
      try await left.sweep(scratch.store)
    }
  }

  /// How often a store of several endpoints is prepared.
  private static let maximumAttempts = 3

  /// Probes the conditional writes of every endpoint. The weakest verdict counts.
  private mutating func inspect(noting left: ScratchFolders) async throws(LedgerError) {
    (movesPointer, verdict) = (true, nil)
    for store in opened {
      switch store.backing {
      case .directory(let directory, _):
        try await inspect(directory)
      case .s3(let bucket, _):
        let report = await bucket.probe(racing: true)
        report.left.forEach(left.add)
        if Task.isCancelled { throw RaceProcess.interrupted }
        if let error = report.verdict.error { throw LedgerError(error) }
        isVersioned = isVersioned || report.isVersioned
        guard movesPointer else { continue }
        verdict = WorkerOrder.Verdict(report.verdict)
        movesPointer = report.verdict.guarantee == .compareAndSwap
        finding = report.verdict.description
      }
    }
    guard !movesPointer, assumesCompareAndSwap else { return }
    movesPointer = true
    verdict = verdict.map { _ in .quoted }
    finding += ", treated as compare-and-swap (--assume)"
  }

  /// One node that is down must not keep the others from racing.
  private mutating func leaveOutUnreachable() async {
    await look()
    guard !silent.isEmpty, silent.count < opened.count else { return }
    for endpoint in silent.sorted().map({ upstreams[$0] }) {
      leftOut.append(endpoint)
      StandardStreams.remark(
        "\(Program.name): \(endpoint) does not answer, and is left out of the race")
    }
    let answering = opened.indices.filter { !silent.contains($0) }
    opened = answering.map { opened[$0] }
    directEndpoints = answering.map { directEndpoints[$0] }
    upstreams = answering.map { upstreams[$0] }
    silent = []
  }

  private mutating func inspect(_ directory: DirectoryStore) async throws(LedgerError) {
    do throws(StoreError) {
      let guarantee = try await directory.conditionalWrites()
      movesPointer = guarantee == .compareAndSwap
      finding =
        movesPointer ? "compare-and-swap under file locks" : "the file system's locks do not work"
      guard movesPointer else { return }
      let barrier = BarrierRace()
      if let refutation = try await barrier.refutation(of: directory, below: scratch.prefix) {
        movesPointer = false
        finding = "file locks fail between writers: \(refutation)"
      } else {
        finding += "; \(barrier.writers) writers at one key, \(barrier.rounds) times: one won each"
      }
    } catch {
      throw LedgerError(error)
    }
  }
}
