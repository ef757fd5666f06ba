import Foundation
import HealthCollector
import PhoneKit
import SwiftUI
import UIKit

/// The app. It puts the parts together; what they do is in PhoneKit.
@main
struct HealthDataApp: App {
  @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
  @Environment(\.scenePhase) private var phase

  var body: some Scene {
    WindowGroup {
      RootView(start: delegate.start)
    }
    .onChange(of: phase) { _, new in
      Task { await delegate.start.moved(to: new) }
    }
  }
}

/// iOS may launch the app in the background, where no view appears: so it starts here.
@MainActor
final class AppDelegate: NSObject, UIApplicationDelegate {
  let start = AppStart()

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    BackgroundTasks.register { [start] task in await start.run(task) }
    Task { await start.launch() }
    return true
  }
}
