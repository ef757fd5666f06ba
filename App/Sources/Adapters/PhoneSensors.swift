import Foundation
import HealthStreams
import PhoneKit

/// The sensors that collect all the time, and where their entries go: into the queue, at once.
@MainActor
final class PhoneSensors: StreamCollecting {
  /// Set once the app's model is made.
  var model: PhoneModel?
  private(set) var location: LocationRecorder?
  private(set) var audio: AudioRecorder?
  private var thinning = LocationThinning()
  private let health: HealthKitDelivery

  init(health: HealthKitSource) {
    self.health = HealthKitDelivery(health)
    location = LocationRecorder(
      { [weak self] point in self?.take(point) },
      failed: { [weak self] in self?.log("collect_failed", $0) })
    audio = AudioRecorder(
      take: { [weak self] record in self?.queue { try record.entry() } },
      log: { [weak self] type, words in self?.log(type, words) },
      inputsChanged: { [weak self] inputs in self?.changed(inputs) })
  }

  func start(_ stream: StreamName) {
    switch stream {
    case .location: location?.start()
    case .audio: audio?.start()
    case .healthKit: health.start(news, failed: { [weak self] in self?.log("collect_failed", $0) })
    default: break
    }
  }

  func stop(_ stream: StreamName) {
    switch stream {
    case .location: location?.stop()
    case .audio: audio?.stop()
    case .healthKit: health.stop(failed: { [weak self] in self?.log("collect_failed", $0) })
    default: break
    }
  }

  func use(_ input: AudioInput) { audio?.use(input) }

  private func take(_ point: LocationPoint) {
    guard thinning.takes(at: AudioWords.now) else { return }
    queue { try point.entry() }
  }

  private func queue(_ entry: @escaping @Sendable () throws -> StreamEntry) {
    let service = model?.service
    Task {
      do {
        try await service?.take([entry()])
      } catch {
        await service?.log(type: "collect_failed", "\(error)")
      }
    }
  }

  /// HealthKit has something new.
  private func news() async { await model?.run(.processing) }

  private func log(_ type: String, _ words: String) {
    let service = model?.service
    Task { await service?.log(type: type, words) }
  }

  private func changed(_ inputs: [AudioInput]) {
    let settings = model?.settings
    Task { await settings?.send(.inputsChanged(inputs)) }
  }
}
