/// Why a sample of an export was left out after it was read.
package enum LeftOut: String, CaseIterable, Hashable, Sendable {
  /// It begins before 1900 or after 2199.
  case date
  /// It ends before it begins.
  case endsBeforeStart = "ends_before_start"
  /// It spans more than 31 days.
  case tooLong = "too_long"
  /// Negative, not finite, or more than a day can hold.
  case value
  /// Sleep that ends after the export was made.
  case afterExport = "after_export"
  /// The same record again.
  case duplicate
  /// Its unit can't be converted.
  case unit
}
