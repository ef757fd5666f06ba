// swift-format-ignore-file
// Of UIKit what the app uses, as Apple documents it. Only for the type check.
@_exported import Foundation

public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
}
@MainActor public class UIApplication: NSObject {
  public struct LaunchOptionsKey: Hashable, Sendable {}
  public struct OpenExternalURLOptionsKey: Hashable, Sendable {}
  public class var shared: UIApplication { fatalError() }
  public nonisolated static let openSettingsURLString = ""
  public func beginBackgroundTask(
    expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  )
    -> UIBackgroundTaskIdentifier
  { fatalError() }
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
  @discardableResult
  public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
    false
  }
}
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
}
@MainActor public class UIDevice: NSObject {
  public class var current: UIDevice { fatalError() }
  public var name: String { "" }
}
public enum UIKeyboardType: Int, Sendable { case `default`, URL }
public class UIColor: NSObject, @unchecked Sendable {
  public class var systemGroupedBackground: UIColor { fatalError() }
}
