// swift-format-ignore-file
// Of AVFAudio what the app uses, as Apple documents it. Only for the type check.
import Foundation

public let AVFormatIDKey = "AVFormatIDKey"
public let AVSampleRateKey = "AVSampleRateKey"
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
public let kAudioFormatMPEG4AAC: UInt32 = 0x6161_6320
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"

public class AVAudioSessionPortDescription: NSObject {
  public var portType: AVAudioSession.Port { fatalError() }
  public var portName: String { "" }
  public var uid: String { "" }
}
public class AVAudioSession: NSObject {
  public struct Port: Hashable, RawRepresentable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let builtInMic = Port(rawValue: "")
    public static let headsetMic = Port(rawValue: "")
    public static let lineIn = Port(rawValue: "")
    public static let usbAudio = Port(rawValue: "")
  }
  public struct Category: Hashable, Sendable { public static let playAndRecord = Category() }
  public struct Mode: Hashable, Sendable { public static let `default` = Mode() }
  public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let mixWithOthers = CategoryOptions(rawValue: 1)
    public static let allowBluetoothHFP = CategoryOptions(rawValue: 4)
  }
  public enum InterruptionType: UInt, Sendable { case ended, began }
  public struct InterruptionOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }
  public static let interruptionNotification = Notification.Name("1")
  public static let routeChangeNotification = Notification.Name("2")
  public static let mediaServicesWereResetNotification = Notification.Name("3")
  public class func sharedInstance() -> AVAudioSession { AVAudioSession() }
  public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {}
  public func setActive(_ active: Bool) throws {}
  public var availableInputs: [AVAudioSessionPortDescription]? { nil }
  public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {}
}
public class AVAudioRecorder: NSObject {
  public init(url: URL, settings: [String: Any]) throws {}
  @discardableResult public func record() -> Bool { false }
  public func stop() {}
  public var isRecording: Bool { false }
}
public class AVAudioApplication: NSObject {
  public enum recordPermission: Int, Sendable { case undetermined, denied, granted }
  public class var shared: AVAudioApplication { AVAudioApplication() }
  public var recordPermission: recordPermission { .undetermined }
  public class func requestRecordPermission() async -> Bool { false }
}
