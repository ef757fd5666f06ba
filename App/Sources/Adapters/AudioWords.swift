import AVFAudio
import Foundation
import HealthCollector
import HealthStreams
import PhoneKit

/// What AVFAudio says, in the words of the libraries, and the other way round.
enum AudioWords {
  /// Milliseconds since 1970.
  static var now: Int { Int(Date.now.timeIntervalSince1970 * 1000) }

  /// AAC of 16 kHz and 16 kbit/s.
  static var settings: [String: Any] {
    [
      AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: AudioSampling.sampleRate,
      AVEncoderBitRateKey: AudioSampling.bitRate, AVNumberOfChannelsKey: 1,
    ]
  }

  static func file(_ piece: Int) -> URL {
    FileManager.default.temporaryDirectory.appending(path: "piece-\(piece).m4a")
  }

  static func record(_ piece: AudioTurns.AudioPiece, _ data: Data) -> AudioRecord {
    AudioRecord(
      id: UUID().uuidString.lowercased(), timestampStart: text(piece.start),
      timestampEnd: text(piece.end), duration: Double(piece.end - piece.start) / 1000,
      audioData: data.base64EncodedString(), overlapDuration: Double(piece.overlap) / 1000)
  }

  private static func text(_ milliseconds: Int) -> String {
    WireDate.text(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
  }

  static func interruption(_ note: Notification) -> RecordingMachine.Event {
    let number = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt ?? 0
    let advice = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
    switch AVAudioSession.InterruptionType(rawValue: number) {
    case .began: return .interruptionBegan
    default:
      return .interruptionEnded(
        shouldResume: AVAudioSession.InterruptionOptions(rawValue: advice).contains(.shouldResume))
    }
  }

  static func input(_ port: AVAudioSessionPortDescription) -> AudioInput {
    AudioInput(id: port.uid, name: port.portName, kind: kind(port.portType))
  }

  private static func kind(_ type: AVAudioSession.Port) -> AudioInput.Kind {
    switch type {
    case .builtInMic: .builtIn
    case .headsetMic, .lineIn, .usbAudio: .wired
    default: .bluetooth
    }
  }

  /// Whether a piece that is being recorded ends with this.
  static func ends(_ event: RecordingMachine.LogEvent) -> Void? {
    switch event {
    case .interrupted, .foundSilent: ()
    default: nil
    }
  }
}
