/// One value of a table; nil stands for no data, never for 0.
package enum TableValue: Hashable, Sendable {
  /// Text that anybody may have written.
  case text(String)
  /// Text that this program made: a date, a moment, an id, a word.
  case word(String)
  case number(Double)
}
