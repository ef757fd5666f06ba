public import HealthModel
public import HealthStreams
public import Outbox

/// The screen of the sync: the real counts, how it went, and when it goes on. Pure.
public struct SyncMachine: ScreenMachine {
  /// What the sync does.
  public enum Phase: Hashable, Sendable {
    /// The services are stopped.
    case stopped
    /// The next sync begins after this many seconds.
    case waiting(seconds: Int)
    /// A sync is under way.
    case syncing
    /// Nothing goes on until the person has changed something: E002 or E005.
    case blocked(code: String, message: String)
  }

  /// What happened.
  public enum Event: Hashable, Sendable {
    /// The person starts the services.
    case started
    /// The person stops the services.
    case stopped
    /// What the queue says.
    case statusRead(SyncStatus)
    /// The person taps "Sync now".
    case syncNow
    /// The person taps "Retry failed".
    case retryFailed
    /// The time of `wait` is over.
    case timerFired
    /// A sync has ended, with one failure for each stream that has one.
    case syncEnded([DeliveryFailure])
    /// The person has changed the receiver or its secret.
    case settingsChanged
    /// The person has changed the time between two syncs, in seconds.
    case intervalChanged(Int)
    /// The app came to the foreground.
    case returned
  }

  /// What to do.
  public enum Action: Hashable, Sendable {
    /// Collect, and then upload; report `syncEnded`.
    case sync
    /// Make entries that failed pending again.
    case retry
    /// Report `statusRead`.
    case readStatus
    /// Report `timerFired` after this many seconds. It replaces an earlier wait.
    case wait(seconds: Int)
    /// No wait counts any more.
    case cancelWait
  }

  /// What the sync does.
  public private(set) var phase: Phase = .stopped
  /// What the queue said last; nil before.
  public private(set) var status: SyncStatus?
  private var loop: SyncLoopMachine
  /// Whether the person asked for another sync while one was under way.
  private var isAskedAgain = false
  /// Whether the services run: another sync follows by itself.
  public private(set) var isRunning = false

  /// A screen of stopped services.
  ///
  /// - Parameter interval: seconds between two syncs that go well.
  public init(interval: Int = HealthKitSampling.interval) {
    loop = SyncLoopMachine(interval: interval)
  }

  /// The last attempt, successful or not.
  public var lastUploadDate: Timestamp? { status?.lastUploadDate }
  /// The last upload that a receiver confirmed.
  public var lastSuccessfulSyncDate: Timestamp? { status?.lastSuccessfulSyncDate }

  /// Whether "Sync now" can be tapped.
  public var maySync: Bool { phase != .syncing }
  /// Whether "Retry failed" is shown.
  public var mayRetry: Bool { (status?.uploadStats.failed ?? 0) > 0 && phase != .syncing }

  /// What to do about an event. An event that does not fit changes nothing.
  public mutating func handle(_ event: Event) -> [Action] {
    switch (phase, event) {
    case (_, .statusRead(let status)):
      self.status = status
      return []
    case (_, .returned): return [.readStatus]
    case (_, .intervalChanged(let seconds)):
      guard seconds != loop.interval else { return [] }
      loop = SyncLoopMachine(interval: seconds)
      guard case .waiting = phase else { return [] }
      phase = .waiting(seconds: seconds)
      return [.wait(seconds: seconds)]

    case (.syncing, .syncEnded(let failures)): return end(failures)
    case (_, .syncEnded): return []
    case (.syncing, .syncNow), (.syncing, .retryFailed):
      isAskedAgain = true
      return event == .retryFailed ? [.retry] : []
    case (.syncing, .stopped):
      isRunning = false
      return []
    case (.syncing, .started):
      isRunning = true
      return []
    case (.syncing, .settingsChanged):
      isAskedAgain = true
      return []
    case (.syncing, .timerFired): return []

    case (_, .syncNow): return begin()
    case (_, .retryFailed): return [.retry] + begin()
    case (.stopped, .started), (.blocked, .started):
      isRunning = true
      return begin()
    case (.blocked, .settingsChanged), (.waiting, .timerFired), (.waiting, .settingsChanged):
      return begin()
    case (.waiting, .stopped), (.blocked, .stopped):
      (isRunning, phase) = (false, .stopped)
      return [.cancelWait]
    case (.waiting, .started), (.stopped, _), (.blocked, _): return []
    }
  }

  private mutating func begin() -> [Action] {
    phase = .syncing
    return [.cancelWait, .sync]
  }

  private mutating func end(_ failures: [DeliveryFailure]) -> [Action] {
    if isAskedAgain {
      isAskedAgain = false
      return [.readStatus, .sync]
    }
    guard isRunning else {
      phase = .stopped
      return [.readStatus]
    }
    switch loop.next(after: failures) {
    case .wait(let seconds):
      phase = .waiting(seconds: seconds)
      return [.readStatus, .wait(seconds: seconds)]
    case .stop(let failure):
      phase = .blocked(code: failure.code, message: failure.message)
      return [.readStatus]
    }
  }
}
