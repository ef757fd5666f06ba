import Foundation
import UserNotifications

/// Local notifications. PhoneKit decides what they say, and when.
enum Notifications {
  static func ask() async {
    _ = try? await UNUserNotificationCenter.current().requestAuthorization(options: [
      .alert, .sound,
    ])
  }

  static func show(_ title: String, _ text: String) async {
    let content = UNMutableNotificationContent()
    content.title = title
    content.body = text
    let request = UNNotificationRequest(
      identifier: UUID().uuidString, content: content, trigger: nil)
    try? await UNUserNotificationCenter.current().add(request)
  }
}
