public import HealthModel

/// How far records are sent.
public struct RecordProgress: Hashable, Sendable {
  /// Days whose records are sent.
  public var days = 0
  /// Days that there are.
  public var allDays = 0
  /// Records that the server has taken. How many there are shows only when their days are read.
  public var records = 0

  /// How far records are sent.
  public init(days: Int = 0, allDays: Int = 0, records: Int = 0) {
    (self.days, self.allDays, self.records) = (days, allDays, records)
  }
}

/// The screen of the records: connect, fill in the past, keep up, disconnect. Pure.
public struct RecordsMachine: ScreenMachine {
  /// What the screen shows.
  public enum Phase: Hashable, Sendable {
    /// Nothing is sent.
    case disconnected
    /// The person is asked for all of Health at once.
    case asking
    /// The person refused; Settings can help.
    case denied
    /// Days of the past are sent, the newest first.
    case backfilling
    /// What is new is sent.
    case syncing
    /// All is sent.
    case upToDate
    /// It stopped, with the reason, and goes on where it stopped.
    case failed(String)
  }

  /// What happened.
  public enum Event: Hashable, Sendable {
    /// The person taps "Connect".
    case connect
    /// The answer to the question for Health.
    case answered(PhonePermission.State)
    /// The person taps "Open Settings".
    case openSettings
    /// The app came to the foreground; what the system says of Health.
    case returned(PhonePermission.State)
    /// How many records, of how many of how many days, have been sent.
    case progressed(RecordProgress)
    /// All that was asked for is sent.
    case ended(at: Timestamp)
    /// It stopped.
    case failed(String)
    /// The person taps "Sync now" or "Try again".
    case syncNow
    /// New data came, or it is time.
    case news
    /// The person taps "Disconnect".
    case disconnect
  }

  /// What to do.
  public enum Action: Hashable, Sendable {
    /// Ask for Health; report `answered`.
    case ask
    /// Show the app's page in Settings.
    case openSettings
    /// Send all days, from where the last backfill stopped; report `progressed`, and `ended` or
    /// `failed`.
    case backfill
    /// Send the days of the catch-up window; report the same.
    case sync
    /// Keep whether records are sent.
    case keep(isConnected: Bool)
    /// Stop what is under way.
    case cancel
  }

  /// What the screen shows.
  public private(set) var phase: Phase
  /// What is sent.
  public private(set) var progress = RecordProgress()
  /// When all was sent last.
  public private(set) var lastSync: Timestamp?
  /// Whether the past was filled in.
  public private(set) var isFilled: Bool

  /// A screen of what was kept.
  public init(isConnected: Bool = false, isFilled: Bool = false, lastSync: Timestamp? = nil) {
    (self.isFilled, self.lastSync) = (isFilled, lastSync)
    phase = !isConnected ? .disconnected : isFilled ? .upToDate : .failed("the backfill waits")
  }

  /// The part of the days that is sent: 0 to 1.
  public var part: Double {
    progress.allDays == 0 ? 0 : Double(progress.days) / Double(progress.allDays)
  }

  /// Whether records are sent.
  public var isConnected: Bool {
    switch phase {
    case .disconnected, .asking, .denied: false
    default: true
    }
  }

  /// What to do about an event. An event that does not fit changes nothing.
  public mutating func handle(_ event: Event) -> [Action] {
    switch (phase, event) {
    case (.disconnected, .connect), (.denied, .connect):
      phase = .asking
      return [.ask]
    case (.asking, .answered(.granted)), (.denied, .returned(.granted)):
      return [.keep(isConnected: true)] + run()
    case (.asking, .answered):
      phase = .denied
      return []
    case (.denied, .openSettings): return [.openSettings]
    case (.backfilling, .progressed(let progress)), (.syncing, .progressed(let progress)):
      self.progress = progress
      return []
    case (.backfilling, .ended(let moment)), (.syncing, .ended(let moment)):
      (phase, isFilled, lastSync) = (.upToDate, true, moment)
      return []
    case (.backfilling, .failed(let reason)), (.syncing, .failed(let reason)):
      phase = .failed(reason)
      return []
    case (.upToDate, .syncNow), (.upToDate, .news), (.failed, .syncNow), (.failed, .news):
      return run()
    // Connecting again fills in the past again, because nothing was sent in the meantime.
    case (.backfilling, .disconnect), (.syncing, .disconnect):
      (phase, isFilled) = (.disconnected, false)
      return [.cancel, .keep(isConnected: false)]
    case (.upToDate, .disconnect), (.failed, .disconnect):
      (phase, isFilled) = (.disconnected, false)
      return [.keep(isConnected: false)]
    default: return []
    }
  }

  private mutating func run() -> [Action] {
    phase = isFilled ? .syncing : .backfilling
    return [isFilled ? .sync : .backfill]
  }
}
