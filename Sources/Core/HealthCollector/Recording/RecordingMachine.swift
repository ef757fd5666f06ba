/// Keeps a microphone recording through calls, Siri and alarms, as a pure state machine:
/// events in, actions out.
///
/// It touches no audio. Perform the actions in their order and report what became of them. A restart
/// that fails is tried again when the app comes to the foreground or the caller's timer fires;
/// meanwhile nothing is recorded, and `state` says so.
///
/// ```swift
/// var recording = RecordingMachine()
/// for action in recording.handle(.start) {
///   switch action {
///   case .startSession: startAudioSession()  // then handle(.started) or handle(.failed("..."))
///   case .resumeSession: resumeAudioSession()
///   case .stopSession: stopAudioSession()
///   case .retry(let seconds): schedule(after: seconds)  // then handle(.timerFired)
///   case .log(let event): log.write(event.rawValue)
///   }
/// }
/// ```
public struct RecordingMachine: Hashable, Sendable {
  /// What the microphone does.
  public enum State: String, Hashable, Sendable {
    /// Nobody asked for a recording.
    case stopped
    /// Starting for the first time.
    case starting
    /// Recording.
    case recording
    /// Something else has the microphone.
    case interrupted
    /// The interruption has ended; the session is asked to go on.
    case resuming
    /// Going on has failed; the session is made anew.
    case restarting
  }

  /// What happened.
  public enum Event: Hashable, Sendable {
    /// The person asks for a recording.
    case start
    /// The person ends it.
    case stop
    /// The session records, as an answer to `startSession` or `resumeSession`.
    case started
    /// The session could not be started or resumed.
    case failed(String)
    /// A call, Siri or an alarm took the microphone.
    case interruptionBegan
    /// It gave it back. `shouldResume` is the system's advice; without it the session is made anew.
    case interruptionEnded(shouldResume: Bool)
    /// The audio services of the system were lost and came back.
    case servicesReset
    /// The app came to the foreground. `isRecording` is what the session itself says.
    case foreground(isRecording: Bool)
    /// The time of `retry` is over.
    case timerFired
  }

  /// What to do.
  public enum Action: Hashable, Sendable {
    /// Make a session and record.
    case startSession
    /// Let the session that was interrupted go on.
    case resumeSession
    /// End the session.
    case stopSession
    /// Report `timerFired` after this many seconds.
    case retry(seconds: Int)
    /// Write an event to the log.
    case log(LogEvent)
  }

  /// What the log says.
  public enum LogEvent: String, Hashable, Sendable {
    /// Recording has started.
    case started = "recording_started"
    /// Recording was stopped.
    case stopped = "recording_stopped"
    /// Something else, such as a call, has taken the microphone.
    case interrupted = "recording_interrupted"
    /// Recording goes on after an interruption.
    case resumed = "recording_resumed"
    /// Recording could not go on after an interruption.
    case resumeFailed = "recording_resume_failed"
    /// Recording was started again after a failure.
    case restarted = "recording_restarted"
    /// Recording could not be started again.
    case restartFailed = "recording_restart_failed"
    /// The app came to the foreground, and nothing was being recorded though it should be.
    case foundSilent = "recording_found_silent"
  }

  /// Seconds before a restart that failed is tried again: doubled each time, up to the last.
  public static let retryDelays = [1, 2, 4, 8, 16, 32, 60]

  /// What the microphone does.
  public private(set) var state: State = .stopped
  private var failures = 0

  /// Stopped.
  public init() {}

  /// What to do about an event. An event that does not fit the state changes nothing.
  public mutating func handle(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.stopped, .start):
      state = .starting
      return [.startSession]
    case (.stopped, _): return []
    case (_, .start): return []
    case (_, .stop):
      (state, failures) = (.stopped, 0)
      return [.stopSession, .log(.stopped)]

    case (.starting, .started): return record(.started)
    case (.resuming, .started): return record(.resumed)
    case (.restarting, .started): return record(.restarted)
    case (.recording, .started), (.interrupted, .started): return []

    case (.resuming, .failed):
      // A session that does not go on is replaced by a new one, at once.
      return [.log(.resumeFailed)] + restart()
    case (.starting, .failed), (.restarting, .failed):
      state = .restarting
      failures += 1
      let delays = Self.retryDelays
      return [
        .log(.restartFailed), .retry(seconds: delays[min(failures, delays.count) - 1]),
      ]
    case (.recording, .failed): return restart()
    case (.interrupted, .failed): return []

    case (.interrupted, .interruptionBegan): return []
    case (_, .interruptionBegan):
      state = .interrupted
      return [.log(.interrupted)]
    case (.interrupted, .interruptionEnded(true)):
      state = .resuming
      return [.resumeSession]
    case (.interrupted, .interruptionEnded(false)): return restart()
    case (_, .interruptionEnded): return []

    case (_, .servicesReset): return restart()
    case (.recording, .foreground(false)): return [.log(.foundSilent)] + restart()
    // The end of an interruption is not always reported while the app is in the background.
    case (.interrupted, .foreground(false)):
      state = .resuming
      return [.resumeSession]
    case (.interrupted, .foreground(true)): return record(.resumed)
    case (.restarting, .foreground(false)): return restart()
    case (.restarting, .foreground(true)): return record(.restarted)
    case (_, .foreground): return []

    case (.restarting, .timerFired): return restart()
    case (_, .timerFired): return []
    }
  }

  private mutating func record(_ event: LogEvent) -> [Action] {
    (state, failures) = (.recording, 0)
    return [.log(event)]
  }

  private mutating func restart() -> [Action] {
    state = .restarting
    return [.stopSession, .startSession]
  }
}
