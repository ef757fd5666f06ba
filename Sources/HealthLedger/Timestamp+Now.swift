import Foundation
public import HealthModel

extension Timestamp {
  /// This machine's clock, in whole seconds.
  public static var now: Timestamp { Timestamp(Date()) }

  /// The moment of a date, without its fraction of a second.
  init(_ date: Date) {
    self.init(secondsSince1970: Int(date.timeIntervalSince1970.rounded(.down)))
  }
}
