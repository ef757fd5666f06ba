/// The form of names that Prometheus takes.
package enum PrometheusName {
  /// Whether `name` can name a metric: letters, digits, `_` and `:`, no digit first.
  package static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A: true
      default: false
      }
    }
  }
}
