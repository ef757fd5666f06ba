import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import HealthStreams
import ObjectStore
import Outbox

/// `raw sync`: uploads what is in the outbox (R48).
struct SyncCommand: OutputCommand, ConfiguredCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Upload what is in the outbox, in a batch for each stream.",
    discussion: """
      A batch has at most 5,000 entries and 8 MiB; what a stream has beyond that goes into further \
      batches. Uploads to the configured store, or with --server to a server that `init --server` has verified. If no \
      store is configured, it uploads to that server without --server, too. What \
      fails stays in the outbox and is tried again after 30, 60, 120 and 240 seconds; being offline \
      does not count as a failure. If nothing is pending, no request is sent. If the command is \
      killed, nothing is lost and nothing is stored twice. With --interval, what is new in a \
      configured folder of payloads is queued before each upload; --queue does that for a single \
      sync. --collect publishes the days that the source has changed first, \
      as `collect` does.

        s3health raw sync
        s3health raw sync --interval 5m
        s3health raw sync --server https://health.home/api/ingest
        s3health raw sync --stream audio --output json
        s3health raw sync --retry-failed
        s3health raw sync --reset-anchors HKQuantityTypeIdentifierHeartRate
      """)

  @Option(
    help: .init("Repeat the sync at this interval, such as 5m.", valueName: "duration"))
  var interval: DurationArgument?

  @Option(help: .init("Sync only this stream. Can be repeated.", valueName: "name"))
  var stream: [StreamArgument<QueuedStreams>] = []

  @Option(
    help: .init(
      "Upload to this server instead, which `init --server` has verified.",
      valueName: "url"))
  var server: String?

  @Flag(
    help: .init(
      "Upload the entries of the last 7 days first.",
      discussion: "For the first sync of a long queue. Batches stay whole."))
  var initial = false

  @Flag(
    help: .init(
      "First publish the days that the configured source has changed, as collect does.",
      discussion: "With `source = streams` the days are made after the upload."))
  var collect = false

  @Flag(
    help: "First queue what is new in the configured folder, as collect --queue does.")
  var queue = false

  @Flag(help: "First make failed entries pending again, including those that were refused.")
  var retryFailed = false

  @Flag(
    help: .init(
      "Forget what was read from the sources, so that collectors read all of it again.",
      discussion: "With types after it, only the feeds of those types."))
  var resetAnchors = false

  @Argument(help: .init("Types whose anchors --reset-anchors forgets.", valueName: "type"))
  var types: [String] = []

  @OptionGroup var outbox: OutboxOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var collector: CollectorOptions
  @OptionGroup(title: "Store") var store: StoreOptions

  /// Seconds of one request.
  private static let timeout = 30

  func validate() throws {
    if !types.isEmpty, !resetAnchors {
      throw ValidationError("types can be given only with --reset-anchors")
    }
    if collect, queue { throw ValidationError("--collect and --queue can't be used together") }
    if interval != nil, collect || queue {
      throw ValidationError(
        "--interval queues what is new by itself: leave out --collect and --queue")
    }
    if let interval, interval.seconds > 86_400 {
      throw ValidationError("--interval must be 1s to 1d")
    }
  }

  func perform() async throws(LedgerError) -> ExitCode {
    var options = store
    options.timeout = store.timeout ?? Self.timeout
    let settings = try Settings(options, timeZone: nil)
    guard collect || queue else { return try await sync(settings) }
    // Days of the streams are made of what is uploaded.
    let isLater = collect && settings.store.source?.isStreams == true
    var collection = isLater ? .success : await collected(settings)
    let upload = try await sync(settings)
    if isLater { collection = await collected(settings) }
    return upload == .success ? collection : upload
  }

  /// A run of `collect`. Its failure is reported, and keeps nothing from being uploaded.
  private func collected(_ settings: Settings) async -> ExitCode {
    do {
      var command = try CollectCommand.parse([])
      command.queue = queue
      (command.outbox, command.output, command.collector) = (outbox, output, collector)
      return try await command.once(settings)
    } catch {
      let failure = error as? LedgerError ?? LedgerError(.internal, "\(error)")
      StandardStreams.say(failure)
      return failure.code.exitCode
    }
  }

  private func sync(_ settings: Settings) async throws(LedgerError) -> ExitCode {
    // Opened first, so that faulty settings are reported even if nothing is pending.
    let target: Target
    var absence: LedgerError?
    do throws(LedgerError) {
      target = try self.target(settings)
    } catch {
      guard error.code == .storageUnavailable else { throw error }
      // `status`, the log and notifications take a disk that is not mounted for a receiver that is offline.
      absence = error
      target = Target(
        receiver: LateStore(settings), name: settings.store.location.name, opened: nil)
    }
    let outbox = try queued(try Outbox(outbox.file(settings.store)))
    // A store that is away makes nothing due that has just failed.
    if absence == nil || interval != nil { try prepare(outbox) }
    let run = SyncRun(
      outbox: outbox, receiver: target.receiver, receiverName: target.name,
      streams: stream.isEmpty ? StreamName.queued : stream.map(\.stream),
      recent: initial ? settings.now.adding(seconds: -7 * 86_400) : nil, format: format,
      recorder: EventRecorder(settings.store),
      collection: interval == nil ? nil : try collection(settings))
    guard let interval else {
      return try await target.work { [absence] () async throws(LedgerError) in
        try await run.once(absence: absence)
      }
    }
    return try await Interruption.surviving { [target] () async throws(LedgerError) in
      try await target.work { () async throws(LedgerError) in
        try await run.loop(every: interval.seconds)
      }
    }
  }

  private struct Target: Sendable {
    let receiver: any BatchReceiver
    /// For people.
    let name: String
    /// The store; nil for a server.
    let opened: OpenedStore?

    /// Runs work that mostly waits for it.
    func work(
      _ work: () async throws(LedgerError) -> ExitCode
    ) async throws(LedgerError) -> ExitCode {
      guard let opened else { return try await work() }
      return try await opened.run { _ async throws(LedgerError) in try await work() }
    }
  }

  private func target(_ settings: Settings) throws(LedgerError) -> Target {
    let access = ServerAccess(settings.store)
    // Whoever has set up a server, and no store, means the server.
    let usual = settings.store.hasUsualStore ? try access.load()?.endpoint.url : nil
    if let to = server ?? usual {
      let receiver = try access.receiver(to, timeout: .seconds(store.timeout ?? Self.timeout))
      return Target(receiver: receiver, name: to, opened: nil)
    }
    let opened = try OpenedStore(settings, for: .writing)
    return Target(
      receiver: try BucketReceiver(opened, settings.store), name: opened.name, opened: opened)
  }

  /// What a loop queues before each sync, as this device.
  private func collection(_ settings: Settings) throws(LedgerError) -> LoopCollection? {
    guard LoopCollection.source(settings.store) != nil else { return nil }
    let device = try collector.collector(settings).deviceID.uuidString.lowercased()
    return LoopCollection(
      try queued(try Outbox(try outbox.file(settings.store, deviceID: device))), settings.store)
  }

  /// What is changed in the outbox before the first sync.
  private func prepare(_ outbox: Outbox) throws(LedgerError) {
    // Whoever syncs by hand does not want to wait for what failed before.
    if interval == nil { try queued(try outbox.makeDue()) }
    if retryFailed {
      let count = try queued(try outbox.retry())
      if count > 0 {
        StandardStreams.remark(
          "\(count.grouped) \(count == 1 ? "entry" : "entries") that failed "
            + "\(count == 1 ? "is" : "are") tried again")
      }
    }
    guard resetAnchors else { return }
    let feeds = try queued(
      try outbox.resetAnchors { feed in
        types.isEmpty
          || feed.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains { part in
            types.contains(String(part))
          } || types.contains(feed)
      })
    guard feeds.isEmpty else {
      return StandardStreams.remark(
        "all of \(feeds.map(\.printable).joined(separator: ", ")) will be read again")
    }
    StandardStreams.remark(
      types.isEmpty
        ? "no collector has read anything into this outbox, so no anchor was reset"
        : "no collector has read \(types.map(\.printable).joined(separator: ", ")) into this outbox, "
          + "so no anchor was reset")
  }
}
