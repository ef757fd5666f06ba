import AVFAudio
import Foundation
import HealthCollector
import PhoneKit
import UIKit

/// Asks for each permission in the system's way. What follows from an answer is decided by
/// `OnboardingMachine`.
@MainActor
final class Permissions: PermissionAsking {
  private let health: HealthKitSource
  private let location: LocationRecorder

  init(health: HealthKitSource, location: LocationRecorder) {
    (self.health, self.location) = (health, location)
  }

  func state(of permission: PhonePermission) async -> PhonePermission.State {
    switch permission {
    case .health: Self.state(health.status)
    case .location: location.state
    case .microphone: microphone
    }
  }

  func ask(_ permission: PhonePermission) async -> PhonePermission.State {
    switch permission {
    case .health: Self.state((try? await health.request()) ?? .denied)
    case .location: await location.ask()
    case .microphone: await AVAudioApplication.requestRecordPermission() ? .granted : .denied
    }
  }

  func askForNotifications() async { await Notifications.ask() }

  func openSettings() async {
    guard let page = URL(string: UIApplication.openSettingsURLString) else { return }
    await UIApplication.shared.open(page)
  }

  private var microphone: PhonePermission.State {
    switch AVAudioApplication.shared.recordPermission {
    case .undetermined: .notDetermined
    case .granted: .granted
    case .denied: .denied
    @unknown default: .denied
    }
  }

  private static func state(_ status: HealthAuthorizationStatus) -> PhonePermission.State {
    switch status {
    case .notDetermined: .notDetermined
    case .authorized: .granted
    case .denied: .denied
    case .unavailable: .unavailable
    }
  }
}
