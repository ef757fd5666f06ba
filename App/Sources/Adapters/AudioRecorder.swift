import AVFAudio
import Foundation
import HealthCollector
import HealthStreams
import PhoneKit

/// The microphone. When to record is decided by `RecordingMachine`, how the recording is cut by
/// `AudioTurns`, and which microphone by `SettingsMachine`.
@MainActor
final class AudioRecorder {
  private let session = AVAudioSession.sharedInstance()
  private let take: @MainActor (AudioRecord) -> Void
  private let log: @MainActor (_ type: String, _ words: String) -> Void
  private let inputsChanged: @MainActor ([AudioInput]) -> Void
  private var machine = RecordingMachine()
  private var turns = AudioTurns()
  private var recorders: [Int: AVAudioRecorder] = [:]
  private let ticker = SyncTimer()
  private let retries = SyncTimer()

  init(
    take: @escaping @MainActor (AudioRecord) -> Void,
    log: @escaping @MainActor (_ type: String, _ words: String) -> Void,
    inputsChanged: @escaping @MainActor ([AudioInput]) -> Void
  ) {
    (self.take, self.log, self.inputsChanged) = (take, log, inputsChanged)
    watch(AVAudioSession.interruptionNotification) { [weak self] note in
      self?.handle(AudioWords.interruption(note))
    }
    watch(AVAudioSession.mediaServicesWereResetNotification) { [weak self] _ in
      self?.handle(.servicesReset)
    }
    watch(AVAudioSession.routeChangeNotification) { [weak self] _ in
      self?.tellInputs()
    }
  }

  func start() { handle(.start) }
  func stop() { handle(.stop) }

  /// The app came to the foreground.
  func returned() {
    handle(.foreground(isRecording: recorders.values.contains { $0.isRecording }))
    tellInputs()
  }

  func use(_ input: AudioInput) {
    let port = session.availableInputs?.first { $0.uid == input.id }
    telling("using \(input.name)") { try session.setPreferredInput(port) }
  }

  private func tellInputs() { inputsChanged((session.availableInputs ?? []).map(AudioWords.input)) }

  // MARK: - Actions

  private func handle(_ event: RecordingMachine.Event) {
    for action in machine.handle(event) {
      switch action {
      case .startSession, .resumeSession: handle(started())
      case .stopSession:
        end()
        telling("ending the recording") { try session.setActive(false) }
      case .retry(let seconds):
        retries.start(seconds: seconds) { [weak self] in self?.handle(.timerFired) }
      case .log(let event):
        log(event.rawValue, event.words)
        AudioWords.ends(event).map { _ in end() }
      }
    }
  }

  private func started() -> RecordingMachine.Event {
    do {
      try session.setCategory(
        .playAndRecord, mode: .default, options: [.mixWithOthers, .allowBluetoothHFP])
      try session.setActive(true)
      perform(turns.began(at: AudioWords.now))
      tick()
      return .started
    } catch {
      return .failed("\(error)")
    }
  }

  private func end() {
    ticker.cancel()
    perform(turns.ended(at: AudioWords.now))
  }

  private func tick() {
    ticker.start(seconds: 1) { [weak self] in
      guard let self else { return }
      perform(turns.tick(at: AudioWords.now))
      tick()
    }
  }

  private func perform(_ actions: [AudioTurns.Action]) {
    for action in actions {
      switch action {
      case .open(let piece): open(piece)
      case .close(let piece, let recorded): close(piece, recorded)
      }
    }
  }

  private func open(_ piece: Int) {
    do {
      let recorder = try AVAudioRecorder(
        url: AudioWords.file(piece), settings: AudioWords.settings)
      recorder.record()
      recorders[piece] = recorder
    } catch {
      handle(.failed("\(error)"))
    }
  }

  private func close(_ piece: Int, _ recorded: AudioTurns.AudioPiece) {
    recorders.removeValue(forKey: piece)?.stop()
    let file = AudioWords.file(piece)
    telling("reading what was recorded") {
      take(AudioWords.record(recorded, try Data(contentsOf: file)))
      try FileManager.default.removeItem(at: file)
    }
  }

  /// A failure goes to the log; the recording goes on.
  private func telling(_ what: String, _ body: () throws -> Void) {
    do { try body() } catch { log("collect_failed", "audio: \(what): \(error)") }
  }

  private func watch(
    _ name: Notification.Name, _ body: @escaping @MainActor (Notification) -> Void
  ) {
    _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { note in
      // The queue is the main one, and the note is read at once.
      nonisolated(unsafe) let note = note
      MainActor.assumeIsolated { body(note) }
    }
  }
}
