// swift-format-ignore-file
// Of UserNotifications what the app uses, as Apple documents it. Only for the type check.
import Foundation

public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let sound = UNAuthorizationOptions(rawValue: 2)
  public static let alert = UNAuthorizationOptions(rawValue: 4)
}
public class UNNotificationContent: NSObject, @unchecked Sendable {}
public class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
  public var title = ""
  public var body = ""
}
public class UNNotificationTrigger: NSObject, @unchecked Sendable {}
public class UNNotificationRequest: NSObject, @unchecked Sendable {
  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
  }
}
public class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  public class func current() -> UNUserNotificationCenter { fatalError() }
  public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    false
  }
  public func add(_ request: UNNotificationRequest) async throws {}
}
