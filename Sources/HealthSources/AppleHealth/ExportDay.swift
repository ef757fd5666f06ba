/// One day of an export.
package struct ExportDay: Hashable, Sendable {
  /// Without any reading where the day was yielded for the sake of the other members.
  package let readings: DayReadings
  /// Only where `ExportOptions.wantsWiderTable`, and there is something in it.
  package let wider: WiderDay?
  /// Only of `ExportOptions.explainedDate`.
  package let explanation: DayExplanation?
}
