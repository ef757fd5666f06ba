import CoreLocation
import Foundation
import HealthStreams
import PhoneKit

/// Core Location: each point goes to `LocationThinning`, which takes one every 10 seconds.
@MainActor
final class LocationRecorder: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let take: @MainActor (LocationPoint) -> Void
  private let failed: @MainActor (String) -> Void
  private var answers: [CheckedContinuation<Void, Never>] = []

  init(
    _ take: @escaping @MainActor (LocationPoint) -> Void,
    failed: @escaping @MainActor (String) -> Void
  ) {
    (self.take, self.failed) = (take, failed)
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
    manager.pausesLocationUpdatesAutomatically = LocationSampling.pausesAutomatically
  }

  func start() {
    manager.allowsBackgroundLocationUpdates = LocationSampling.allowsBackgroundUpdates
    manager.startUpdatingLocation()
  }

  func stop() { manager.stopUpdatingLocation() }

  var state: PhonePermission.State {
    switch manager.authorizationStatus {
    case .notDetermined: .notDetermined
    case .authorizedAlways: .granted
    case .authorizedWhenInUse: .whileInUse
    case .denied: .denied
    case .restricted: .unavailable
    @unknown default: .denied
    }
  }

  /// Asks, and returns after the answer.
  func ask() async -> PhonePermission.State {
    await withCheckedContinuation { answer in
      answers.append(answer)
      manager.requestAlwaysAuthorization()
    }
    return state
  }

  nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    MainActor.assumeIsolated {
      let waiting = answers
      answers = []
      for answer in waiting { answer.resume() }
    }
  }

  nonisolated func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    let points = locations.map { place in
      LocationPoint(
        timestamp: WireDate.text(place.timestamp),
        latitude: place.coordinate.latitude, longitude: place.coordinate.longitude,
        altitude: place.altitude, speed: place.speed,
        horizontalAccuracy: place.horizontalAccuracy, verticalAccuracy: place.verticalAccuracy)
    }
    MainActor.assumeIsolated { for point in points { take(point) } }
  }

  nonisolated func locationManager(
    _ manager: CLLocationManager, didFailWithError error: any Error
  ) {
    let words = "location: \(error.localizedDescription)"
    MainActor.assumeIsolated { failed(words) }
  }
}
