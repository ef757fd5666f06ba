// swift-format-ignore-file
// Of Core Location what the app uses, as Apple documents it. Only for the type check.
import Foundation

public typealias CLLocationAccuracy = Double
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
public struct CLLocationCoordinate2D: Sendable {
  public var latitude: Double
  public var longitude: Double
}
public class CLLocation: NSObject, @unchecked Sendable {
  public var coordinate: CLLocationCoordinate2D { fatalError() }
  public var altitude: Double { 0 }
  public var speed: Double { 0 }
  public var horizontalAccuracy: CLLocationAccuracy { 0 }
  public var verticalAccuracy: CLLocationAccuracy { 0 }
  public var timestamp: Date { .now }
}
public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}
// Not Sendable, as on iOS.
public class CLLocationManager: NSObject {
  public override init() {}
  public weak var delegate: (any CLLocationManagerDelegate)?
  public var desiredAccuracy: CLLocationAccuracy = 0
  public var pausesLocationUpdatesAutomatically = true
  public var allowsBackgroundLocationUpdates = false
  public var authorizationStatus: CLAuthorizationStatus { .notDetermined }
  public func requestAlwaysAuthorization() {}
  public func startUpdatingLocation() {}
  public func stopUpdatingLocation() {}
}
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
}
