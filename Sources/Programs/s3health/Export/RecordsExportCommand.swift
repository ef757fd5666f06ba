import ArgumentParser
import CommandLineKit
import ContentDigests
import HealthExports
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import ObjectStore
import Outbox

/// `export records`: posts a source's days, workouts and sleep to a server that keeps them in
/// PostgreSQL (R56).
struct RecordsExportCommand: ResultCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "records",
    abstract: "Post a source's days, workouts and sleep to a server with a database.",
    discussion: """
      Posts the records to URL/api/ingest/health-metrics, -workouts and -sleep, 500 in a request. A \
      request that fails is sent again, after 1, 2, 4 and more seconds. After an interruption, run \
      the same command again: it continues where it stopped. A later run posts only what is new since the \
      last one that was confirmed; --all posts everything, for a server that has lost its rows. \
      Posting again stores nothing twice, because the server knows each record by its id. The token comes from S3HEALTH_DEVICE_TOKEN, \
      or is the one that `init --server` has verified for that server.

        s3health export records --input export.zip --server https://health.home
        s3health export records 2026 --server https://health.home
      """)

  @Option(help: .init("The server, such as https://health.home.", valueName: "url"))
  var server: String

  @Option(
    name: .shortAndLong,
    help: .init(
      "Source to read: an Apple Health export or Health Auto Export files.",
      discussion: "Default: the configured source.", valueName: "source"), completion: .file())
  var input: String?

  @OptionGroup var span: SpanOptions

  @Flag(help: "Post everything, also what earlier runs have delivered.")
  var all = false

  @Option(help: .init("Number of times to send one request before giving up.", valueName: "n"))
  var attempts = 8

  @OptionGroup var zone: ZoneOption

  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  func validate() throws {
    if !(1...100).contains(attempts) { throw ValidationError("--attempts must be 1 to 100") }
  }

  func result() async throws(LedgerError) -> any CommandResult {
    let settings = try await Settings(store, timeZone: zone.timezone).completed(asksStore: false)
    let access = ServerAccess(settings.store)
    let endpoint = try access.endpoint(server)
    let token = try token(settings, access, endpoint)
    let receiver = RecordReceiver(
      endpoint, token: token, transport: access.transport(),
      timeout: .seconds(store.timeout ?? 60))
    let folder = settings.store.directories.data
    let name = RecordsSent.receiver(endpoint, token)
    var post = RecordsPost(
      receiver, schedule: RetrySchedule(attempts: attempts),
      run: try RecordsRun(in: folder, to: name))
    var sent = try RecordsSent(in: folder, to: name, forgets: all)
    let (batches, exportedAt) = try read(settings, sent)
    try await post.send(batches.map(sent.news), of: batches)
    try sent.confirm(batches, exportedAt: exportedAt)
    post.finish()
    return RecordsReport(post)
  }

  private func token(
    _ settings: Settings, _ access: ServerAccess, _ endpoint: IngestEndpoint
  ) throws(LedgerError) -> DeviceToken {
    if let given = settings.store[.deviceToken] {
      guard let token = DeviceToken(given.value) else {
        throw LedgerError(
          .invalidArguments, "\(given.origin) is not a device token", remedy: "check the variable")
      }
      return token
    }
    guard let server = try access.load(), server.endpoint == endpoint else {
      throw LedgerError(
        .invalidArguments, "no token is given for the server \(endpoint.url.printable)",
        remedy:
          "set S3HEALTH_DEVICE_TOKEN, or verify the server: s3health init --server \(server.printable)"
      )
    }
    return server.token
  }

  /// The records of the source, without those that no server would accept, which are reported. Where an
  /// earlier run sent a number of a metric that the source covers and has no number of now, a record
  /// says that there is none. From an export that is older than the last one sent, only records that
  /// were never sent are taken.
  private func read(
    _ settings: Settings, _ sent: RecordsSent
  ) throws(LedgerError) -> (batches: [RecordBatch], exportedAt: Timestamp?) {
    let source = settings.store.source.flatMap { $0.isStreams ? nil : $0.path }
    guard let path = input ?? source else {
      throw LedgerError(
        .invalidArguments, "there is nothing to read",
        remedy: "add --input SOURCE, such as an export.zip; or set S3HEALTH_SOURCE")
    }
    let (first, last) = try span.ends(settings, upTo: nil)
    var (metrics, workouts, sleep): ([MetricRecord], [WorkoutRecord], [SleepRecord]) = ([], [], [])
    var none: [MetricRecord] = []
    let (imported, span) = try reading(settings) { request throws(LedgerError) in
      var request = request
      (request.from, request.to) = (first, last)
      request.records = { day in
        workouts += day.workouts.map { WorkoutRecord($0, timeZoneName: day.timeZoneName) }
        sleep += day.sleep.map(SleepRecord.init)
      }
      let imported = try Input(path).read(request)
      settings.sayMissingZone(besides: imported.zone.evidence)
      return (imported, try imported.span(from: first, to: last, before: settings.now))
    }
    StandardStreams.remark(notes: imported.allNotes.map(\.words), allIn: nil)
    for day in span.days {
      let zone = day.timeZoneName ?? imported.zone.zones.name(on: day.date)
      metrics += MetricRecord.records(on: day.date, timeZoneName: zone) { metric in
        day.readings[metric]?.number
      }
      none += MetricRecord.none(on: day.date, timeZoneName: zone) { metric in
        day.speaksOf.contains(metric) && day.readings[metric]?.number == nil
      }
    }
    remark(without: span.days.lazy.map(\.readings))
    let newer = sent.newerExport(than: imported.exportedAt)
    let taken = newer == nil ? sent.taken(of: none) : []
    metrics += taken
    if !taken.isEmpty {
      StandardStreams.remark(
        "note: \(taken.count.grouped) \(taken.count == 1 ? "number" : "numbers") of an earlier run "
          + "\(taken.count == 1 ? "is" : "are") no longer in the source; the server is told that "
          + "there \(taken.count == 1 ? "is" : "are") none"
      )
    }
    let bounds = RecordBounds(now: settings.now)
    var batches: [RecordBatch] = [.metrics(metrics), .workouts(workouts), .sleep(sleep)]
    if let newer {
      let kept = batches.reduce(0) { $0 + sent.news(of: $1).count }
      batches = batches.map(sent.unsent)
      let count = kept - batches.reduce(0) { $0 + $1.count }
      if count > 0 {
        StandardStreams.remark(
          "note: left out \(count.grouped) \(count == 1 ? "record" : "records") for which a newer export, "
            + "made at \(newer), had another value; --all posts them")
      }
    }
    batches = batches.map { (all: RecordBatch) in
      let (batch, refused) = all.acceptable(in: bounds)
      if let first = refused.first {
        StandardStreams.remark(
          "note: left out \(refused.count.grouped) of \(all.count.grouped) records of "
            + "\(all.kind.rawValue) that no server takes: \(first.pointer.split(separator: "/").last ?? "") "
            + first.message)
      }
      return batch
    }
    return (batches, imported.exportedAt)
  }

  /// Names the metrics that have numbers and that the receiver's table has no type for.
  private func remark(without days: some Sequence<[DailyMetric: MetricReading]>) {
    let found = days.reduce(into: Set<DailyMetric>()) { $0.formUnion($1.numbers.keys) }
    let left = DailyMetric.inOrder.filter {
      found.contains($0) && !MetricRecord.given.contains($0)
    }
    guard !left.isEmpty else { return }
    StandardStreams.remark(
      "note: left out \(left.map(\.rawValue).joined(separator: ", ")): the server's table of "
        + "metrics has no type for them")
  }
}

private struct RecordsReport: CommandResult {
  let kinds: [Kind]

  struct Kind: Encodable {
    @TextOnly var name: String
    let received, inserted, duplicates, updated, sentBefore: Int
  }

  init(_ post: RecordsPost) {
    kinds = RecordKind.allCases.map { kind in
      let counts = post.counts[kind] ?? RowCounts()
      return Kind(
        name: kind.rawValue, received: counts.received, inserted: counts.inserted,
        duplicates: counts.duplicates, updated: counts.updated,
        sentBefore: post.skipped[kind] ?? 0)
    }
  }

  var document: any Encodable { Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) }) }

  func lines(_ terminal: Terminal) -> [String] {
    kinds.map { kind in
      kind.name.padded(to: 10) + "\(kind.received.grouped) sent, \(kind.inserted.grouped) new, "
        + "\(kind.duplicates.grouped) known already"
        + (kind.updated > 0 ? ", \(kind.updated.grouped) updated" : "")
        + (kind.sentBefore > 0 ? "; \(kind.sentBefore.counted("was", "were")) sent before" : "")
    }
  }
}

/// Posts batches one after another.
struct RecordsPost {
  private let receiver: RecordReceiver
  private let schedule: RetrySchedule
  private var run: RecordsRun
  private(set) var counts: [RecordKind: RowCounts] = [:]
  /// Records that an earlier attempt has delivered.
  private(set) var skipped: [RecordKind: Int] = [:]

  init(_ receiver: RecordReceiver, schedule: RetrySchedule, run: RecordsRun) {
    (self.receiver, self.schedule, self.run) = (receiver, schedule, run)
  }

  /// - Throws: `LedgerError` once a batch is given up. What was delivered stays delivered, and is not
  ///   sent again by the next attempt.
  ///
  /// - Parameter all: with those that earlier runs have delivered.
  mutating func send(
    _ batches: [RecordBatch], of all: [RecordBatch]
  ) async throws(LedgerError) {
    for (batch, whole) in zip(batches, all) where batch.count < whole.count {
      skipped[batch.kind, default: 0] += whole.count - batch.count
    }
    let total = batches.reduce(0) { $0 + $1.count }
    var progress = ProgressLine("posting", total: total, unit: .entries)
    defer { progress.clear() }
    var done = 0
    var waiting = batches.flatMap { $0.pieces(of: RecordBatch.usualCount) }
    waiting.reverse()
    while let batch = waiting.popLast() {
      let digest = ContentDigest.hex(of: batch.body)
      if run.isConfirmed(digest) {
        skipped[batch.kind, default: 0] += batch.count
      } else {
        do throws(DeliveryFailure) {
          counts[batch.kind, default: RowCounts()] += try await deliver(batch, digest)
        } catch {
          if error.kind == .tooLarge, batch.count > 1 {
            waiting += batch.pieces(of: (batch.count + 1) / 2).reversed()
            continue
          }
          throw LedgerError(error, after: done, of: total)
        }
        try run.confirm(digest)
      }
      done += batch.count
      progress.advance(to: done)
    }
  }

  /// The run is complete, and what it has sent is noted.
  func finish() { run.finish() }

  private func deliver(
    _ batch: RecordBatch, _ digest: String
  ) async throws(DeliveryFailure) -> RowCounts {
    var failures = 0
    while true {
      switch await receiver.post(batch, key: "\(run.id)-\(digest.prefix(32))") {
      case .stored(let counts): return counts
      case .failed(let failure):
        failures += 1
        guard let wait = schedule.wait(after: failures, of: failure) else { throw failure }
        StandardStreams.remark("\(failure.message); trying again in \(wait) s")
        do { try await Task.sleep(for: .seconds(wait)) } catch { throw failure }
      }
    }
  }
}

extension LedgerError {
  /// A delivery that was given up.
  fileprivate init(_ failure: DeliveryFailure, after done: Int, of total: Int) {
    let code: Code =
      switch failure.kind {
      case .offline, .timeout, .server, .storageFull: .storageUnavailable
      case .unauthorized, .permissionDenied: .notAuthorized
      case .refused, .tooLarge: .invalidArguments
      }
    let remedy: Remedy =
      switch failure.kind {
      case .unauthorized, .permissionDenied: "check the token, and that its scope has records"
      case .refused, .tooLarge: "check that the server takes these records, as s3healthd does"
      case .offline, .timeout, .server, .storageFull:
        "run the same command again: it goes on where it stopped"
      }
    self.init(
      code,
      "\(failure.message.printable), after \(done.grouped) of \(total.grouped) records",
      remedy: remedy)
  }
}
