import Foundation
public import HealthCollector
import HealthEvents
import HealthExports
import HealthLedger
import HealthModel
public import HealthStreams
import ObjectStore
public import Outbox
import S3Session
import S3Store
import Secrets
import SyncClients

/// All that the app does without a screen: it queues what is new, uploads, publishes days, pushes
/// values, and tells the person. Kill it whenever you like: what it has is on the disk.
///
/// ```swift
/// func onTimer(_ service: PhoneService) async {
///   let report = await service.run(.processing)
///   print(report.messages)
/// }
/// ```
public actor PhoneService {
  /// What a piece of a run did.
  public struct Report: Sendable {
    /// Whether the run has nothing more to do.
    public internal(set) var isComplete = false
    /// The failures of the sync, one for each stream that has one.
    public internal(set) var failures: [DeliveryFailure] = []
    /// What failed, for people.
    public internal(set) var messages: [String] = []
  }

  let environment: PhoneEnvironment
  let files: PhoneFiles
  let identity: Collector
  /// What the person has set.
  public private(set) var settings: PhoneSettings
  /// Whether Health may be read.
  private let healthStream: SwitchedHealth.Switch
  /// Health, for all that is read of it, while its stream is on.
  let health: SwitchedHealth
  /// The same of today's samples only.
  let todaysHealth: SwitchedHealth
  let events: EventLog
  let notices: NotificationState
  /// Notifications that were shown while the state could not be saved, as on a full disk.
  var unkeptNotices = NotificationMachine()
  private var open: (receiver: PhoneReceiver, outbox: Outbox)?
  private var current: Task<Report, Never>?
  /// What the samples of the days that were published last say beyond the numbers, for the labels of a
  /// push.
  var details: [CalendarDate: PushedDetail] = [:]
  /// Those of the run that is under way.
  var failuresOfSync: [DeliveryFailure] = []
  /// When a stream was turned off, or the services were stopped.
  private var ended: [StreamName: Timestamp] = [:]

  /// The service of an app's folder, which is made if it is not there.
  ///
  /// - Throws: where the folder can't be made, the ids can't be kept, or the settings are there and
  ///   can't be read: try again later.
  public init(_ environment: PhoneEnvironment) throws {
    self.environment = environment
    files = PhoneFiles(folder: environment.folder)
    try PrivateFolder.create(environment.folder.path)
    identity = try Collector.kept(in: environment.secrets)
    events = EventLog(folder: files.log)
    notices = NotificationState(folder: files.log)
    let (kept, damaged) = try files.loadSettings()
    settings = kept
    healthStream = SwitchedHealth.Switch(isOn: kept.streams.contains(.healthKit))
    health = SwitchedHealth(
      environment.health, while: healthStream, retryingAfter: environment.retryDelay)
    todaysHealth = SwitchedHealth(
      environment.today ?? environment.health, while: healthStream,
      retryingAfter: environment.retryDelay)
    if let damaged {
      try events.append(
        LogEvent(
          type: "settings_damaged", at: environment.now(),
          "the settings were damaged, and are those of a new app; what was there is in \(damaged)"))
    }
  }

  /// The id of the device that batches name, for whoever makes its token.
  public nonisolated var deviceID: String { identity.deviceID.uuidString.lowercased() }

  /// The instance of a gateway unless the person enters another one: the device's name, which many
  /// phones share, and the beginning of its id, which none does.
  public nonisolated var defaultInstance: String {
    "\(environment.deviceName) \(deviceID.prefix(8))"
  }

  /// Changes the settings, and keeps them.
  public func change(_ change: @Sendable (inout PhoneSettings) -> Void) throws {
    var next = settings
    change(&next)
    guard next != settings else { return }
    try files.keep(next)
    for stream in settings.collected.subtracting(next.collected) {
      ended[stream] = environment.now()
    }
    settings = next
    healthStream.turn(on: next.streams.contains(.healthKit))
  }

  /// Starts or stops the services, and tells the person.
  public func setRunning(_ isRunning: Bool) async throws {
    guard settings.isRunning != isRunning else { return }
    try change { $0.isRunning = isRunning }
    log(isRunning ? .serviceStarted : .serviceStopped, isRunning ? "started" : "stopped")
    await tell([isRunning ? .started(.sync) : .stopped(.sync)])
  }

  // MARK: - The queue

  /// The queue of the receiver that is set.
  ///
  /// - Throws: `PhoneFailure` before there is one; `OutboxError`.
  public func outbox() throws -> Outbox {
    guard let receiver = settings.receiver else {
      throw PhoneFailure("nothing is collected before a receiver was verified")
    }
    if let open, open.receiver == receiver { return open.outbox }
    guard let first = receiver.queueName else {
      throw PhoneFailure("only values are pushed: no raw data is queued")
    }
    var file = try OutboxFile(
      path: files.queue(settings.queue ?? first), deviceID: deviceID,
      appVersion: environment.appVersion)
    file.now = environment.now
    if let freeSpace = environment.freeSpace { file.freeSpace = freeSpace }
    let outbox = try Outbox(file)
    open = (receiver, outbox)
    return outbox
  }

  /// What is queued and how the last syncs went, counted in the tables; nil where nothing is queued.
  public func status() throws -> SyncStatus? {
    settings.hasQueue ? try outbox().status() : nil
  }

  /// Queues what a sensor gave: a point, a piece of sound. Durable when it returns.
  ///
  /// - Returns: how many were taken. None while nothing may be collected, and none of a stream that
  ///   is off, except what was being recorded when it was turned off.
  @discardableResult
  public func take(_ entries: [StreamEntry]) async throws -> Int {
    guard settings.hasQueue else { return 0 }
    let wanted = entries.filter { entry in
      if settings.collected.contains(entry.stream) { return true }
      guard let end = ended[entry.stream] else { return false }
      return end.adding(seconds: -60) <= entry.start && entry.start < end
    }
    guard !wanted.isEmpty else { return 0 }
    // Once it is begun, it ends in milliseconds.
    let sleepAgain = await environment.stayAwake {}
    let result: Result<Void, any Error>
    do { result = .success(try await outbox().add(wanted)) } catch { result = .failure(error) }
    await sleepAgain()
    if case .failure(let error) = result {
      await failed(.collect, .collectFailed, "\(error)")
      throw error
    }
    return wanted.count
  }

  /// Makes entries that failed pending again.
  ///
  /// - Returns: how many.
  @discardableResult
  public func retry() throws -> Int { try outbox().retry() }

  // MARK: - Runs

  /// Does a piece of a background task, of 30 s at most. The next call goes on with what is left.
  /// One run is under way at a time: who comes later waits for the same one.
  ///
  /// If the task of any caller is cancelled, as by the system's expiration handler, the piece ends.
  public func run(
    _ task: BackgroundTask, within limit: Duration = RunBudget.longestPiece
  ) async -> Report {
    guard settings.mayCollect else {
      return Report(isComplete: true, messages: ["the services are stopped"])
    }
    return await alone { await self.piece(task.rawValue, task.steps, limit) }
  }

  /// Collects and uploads at once, as "Sync now" does.
  public func syncNow() async -> Report {
    guard settings.onboarding == .finished else {
      return Report(isComplete: true, messages: ["the first steps are not finished"])
    }
    return await alone { await self.piece("now", [.collect, .sync], RunBudget.longestPiece) }
  }

  /// What HealthKit's observer wakes the app for: collects, uploads, publishes today and pushes.
  public func newsArrived() async -> Report { await run(.processing) }

  func alone(_ work: @escaping @Sendable () async -> Report) async -> Report {
    let task = current ?? Task { await awake(work) }
    let isFirst = current == nil
    current = task
    defer { if isFirst { current = nil } }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Does work for which the app must not be suspended. When the system's time is over it is cancelled,
  /// and ends soon after.
  func awake<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task { await work() }
    let sleepAgain = await environment.stayAwake { task.cancel() }
    let value = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    await sleepAgain()
    return value
  }

  /// One piece of the run of this name.
  func piece(_ name: String, _ steps: [RunBudget.Step], _ limit: Duration) async -> Report {
    var report = Report()
    var budget = RunBudget(steps, resuming: files.budgetBytes(name))
    failuresOfSync = []
    do {
      let files = files
      let done = try await budget.perform(within: limit) { saved in
        try files.keepBudget(saved, name)
      } _: { step in
        try await self.perform(step)
      }
      report.isComplete = done.isComplete
      for (step, error) in done.failures { report.messages.append("\(step): \(error)") }
    } catch {
      report.messages.append("\(error)")
    }
    report.failures = failuresOfSync
    return report
  }

  private func perform(_ step: RunBudget.Step) async throws -> Bool {
    switch step {
    case .collect: try await collect()
    case .sync: try await sync()
    case .recompute: try await recompute()
    case .push: try await push()
    }
    return false
  }

  static let firstSyncSeconds = PhoneSettings.firstSyncDays * 86_400
}
