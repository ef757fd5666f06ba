import Foundation
import HealthCollector
import ObjectStore
import Observation
import PhoneKit
import SwiftUI
import UIKit

/// Makes the app's model once, whoever asks first: a view, a background task, or HealthKit.
@MainActor @Observable
final class AppStart {
  private(set) var model: PhoneModel?
  private(set) var errorMessage: String?
  @ObservationIgnored private let health: HealthKitSource
  @ObservationIgnored private let sensors: PhoneSensors
  @ObservationIgnored private var launching: Task<Void, Never>?

  init() {
    health = HealthKitSource()
    sensors = PhoneSensors(health: health)
  }

  func launch() async {
    let task = launching ?? Task { await make() }
    launching = task
    await task.value
    // Before the phone was unlocked for the first time nothing can be read: the next one tries again.
    if model == nil { launching = nil }
  }

  func run(_ task: BackgroundTask) async {
    await launch()
    await model?.run(task)
  }

  func moved(to phase: ScenePhase) async {
    await launch()
    switch phase {
    case .active:
      sensors.audio?.returned()
      await model?.returned()
    case .background:
      BackgroundTasks.schedule()
      await model?.left()
    default: break
    }
  }

  private func make() async {
    do {
      let model = try await PhoneModel(environment(), timer: SyncTimer(), collecting: sensors)
      sensors.model = model
      self.model = model
      errorMessage = nil
      await model.launched()
    } catch {
      errorMessage = "\(error)"
    }
  }

  private func environment() throws -> PhoneEnvironment {
    let folder = try FileManager.default.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    guard let location = sensors.location else { throw CocoaError(.featureUnsupported) }
    var environment = PhoneEnvironment(
      folder: folder.appending(path: "health"), secrets: KeychainSecrets.store(), health: health,
      permissions: Permissions(health: health, location: location), notify: Notifications.show,
      timeZoneName: { TimeZone.current.identifier })
    environment.stayAwake = { await KeepAlive.begin($0) }
    environment.deviceName = UIDevice.current.name
    environment.today = HealthKitSource.today()
    environment.cloud = SystemCloud()
    return environment
  }
}
