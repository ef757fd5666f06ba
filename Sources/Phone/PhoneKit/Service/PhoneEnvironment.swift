public import Foundation
public import HealthModel
public import ObjectStore
public import Secrets

/// What the app has around it: a phone's parts, or those of a test.
public struct PhoneEnvironment: Sendable {
  /// Where the app keeps its queue, log and settings: in Application Support, with a protection class
  /// that lets them be read while the phone is locked.
  public var folder: URL
  /// Keys, tokens and the collector's ids: the Keychain.
  public var secrets: any SecretStore
  /// HealthKit.
  public var health: any PhoneHealthSource
  /// Today's samples only, for the live numbers; nil to use `health`, which returns all of them.
  public var today: (any PhoneHealthSource)?
  /// Who asks for permissions.
  public var permissions: any PermissionAsking
  /// Shows a notification with a title and a text.
  public var notify: @Sendable (_ title: String, _ text: String) async -> Void
  /// The clock on the wall.
  public var now: @Sendable () -> Timestamp = { .now }
  /// The zone of the person's days, an IANA name.
  public var timeZoneName: @Sendable () -> String
  /// Where days are published if no bucket is set: the app's container in iCloud Drive, whose writes are
  /// coordinated; nil, and while nobody is signed in, for a folder in `folder`.
  public var cloud: (any CloudFolders)?
  /// How long a question to Health that failed waits before it is asked once more.
  public var retryDelay = Duration.seconds(1)
  /// Asks the system to let the app run until what it returns is called: around what is collected and
  /// uploaded. It calls the argument when the time is over. Where nothing suspends an app it does nothing.
  public var stayAwake: StayAwake = { _ in {} }
  /// What the device is called: `iPhone` for every phone whose app has no right to its own name.
  public var deviceName = "iPhone"
  /// The app's version, for the metadata of batches.
  public var appVersion = "1.0"
  /// Bytes that are free where a path is; nil to ask the system.
  public var freeSpace: (@Sendable (_ path: String) -> Int?)?

  /// Keeps the app awake until what it returns is called; calls its argument when the time is over.
  public typealias StayAwake =
    @Sendable (_ expired: @escaping @Sendable () -> Void) async -> @Sendable () async -> Void

  /// The title of every notification.
  public static let notificationTitle = "Health data"

  /// The surroundings of an app.
  public init(
    folder: URL, secrets: any SecretStore, health: any PhoneHealthSource,
    permissions: any PermissionAsking,
    notify: @escaping @Sendable (_ title: String, _ text: String) async -> Void,
    timeZoneName: @escaping @Sendable () -> String
  ) {
    (self.folder, self.secrets, self.health) = (folder, secrets, health)
    (self.permissions, self.notify, self.timeZoneName) = (permissions, notify, timeZoneName)
  }
}

/// Why the app can't do something, for the person.
public struct PhoneFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence without a secret.
  public let description: String

  init(_ description: String) { self.description = description }
}
