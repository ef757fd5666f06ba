import BackgroundTasks
import Foundation
import HealthCollector
import PhoneKit

/// The tasks that iOS wakes the app for. What is done in one is decided by `RunBudget`.
@MainActor
enum BackgroundTasks {
  /// Registers the three identifiers. Call it before the app has launched.
  static func register(_ run: @escaping @Sendable (BackgroundTask) async -> Void) {
    for task in BackgroundTask.allCases {
      BGTaskScheduler.shared.register(forTaskWithIdentifier: task.identifier(), using: nil) {
        handle($0, task, run)
      }
    }
  }

  /// Asks for each task again.
  nonisolated static func schedule() {
    for task in BackgroundTask.allCases {
      try? BGTaskScheduler.shared.submit(request(task))
    }
  }

  private nonisolated static func request(_ task: BackgroundTask) -> BGTaskRequest {
    switch task {
    case .refresh: BGAppRefreshTaskRequest(identifier: task.identifier())
    case .processing, .sync: processing(task)
    }
  }

  private nonisolated static func processing(_ task: BackgroundTask) -> BGTaskRequest {
    let request = BGProcessingTaskRequest(identifier: task.identifier())
    request.requiresNetworkConnectivity = true
    return request
  }

  private nonisolated static func handle(
    _ granted: BGTask, _ task: BackgroundTask,
    _ run: @escaping @Sendable (BackgroundTask) async -> Void
  ) {
    schedule()
    // The system's object is used by one task at a time: this one.
    nonisolated(unsafe) let granted = granted
    let work = Task {
      await run(task)
      granted.setTaskCompleted(success: !Task.isCancelled)
    }
    granted.expirationHandler = { work.cancel() }
  }
}
