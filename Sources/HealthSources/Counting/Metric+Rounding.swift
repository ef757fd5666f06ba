internal import HealthModel

extension Metric {
  /// The total as it is published: whole steps, six decimals of everything else, so that the order
  /// of samples or the last bit of a division never makes a new revision.
  func rounded(_ total: Double) -> Double {
    self == .steps ? total.rounded() : total.roundedToMillionths
  }
}

extension Double {
  /// Six decimals; beyond 2^53 millionths a double has none to round to.
  var roundedToMillionths: Double {
    magnitude < 9e9 ? (self * 1e6).rounded() / 1e6 : self
  }
}
