import HealthModel

extension Double {
  /// At most one decimal, without a trailing zero, and thousands parted.
  var groupedToTenths: String {
    // Ten times the greatest numbers is infinite, and a number of this size has no tenths.
    abs(self) < 1e16 ? ((self * 10).rounded() / 10).grouped : grouped
  }
}
