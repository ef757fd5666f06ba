// swift-format-ignore-file
// Of BackgroundTasks what the app uses, as Apple documents it. Only for the type check.
import Foundation

// Not Sendable, as on iOS.
public class BGTask: NSObject {
  public var identifier: String { "" }
  public var expirationHandler: (() -> Void)?
  public func setTaskCompleted(success: Bool) {}
}
public class BGTaskRequest: NSObject {
  public var earliestBeginDate: Date?
}
public class BGAppRefreshTaskRequest: BGTaskRequest { public init(identifier: String) {} }
public class BGProcessingTaskRequest: BGTaskRequest {
  public init(identifier: String) {}
  public var requiresNetworkConnectivity = false
  public var requiresExternalPower = false
}
public class BGTaskScheduler: NSObject, @unchecked Sendable {
  public class var shared: BGTaskScheduler { fatalError() }
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping @Sendable (BGTask) -> Void
  ) -> Bool { false }
  public func submit(_ taskRequest: BGTaskRequest) throws {}
}
