import Foundation
import HealthCollector
import PhoneKit

extension LiveClock {
  /// The phone's own time and zone.
  static var phone: LiveClock { LiveClock(timeZoneName: { TimeZone.current.identifier }) }
}

extension HealthKitLiveTrackingService {
  /// Follows today's samples of HealthKit.
  convenience init() { self.init(source: HealthKitSource.today(), clock: .phone) }
}

extension HealthDashboardViewModel {
  /// Today's numbers of HealthKit.
  convenience init() {
    self.init(
      service: HealthKitLiveTrackingService(), authorization: HealthKitSource.today(),
      clock: .phone)
  }
}
