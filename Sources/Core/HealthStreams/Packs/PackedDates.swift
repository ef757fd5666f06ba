package import HealthModel

/// The dates whose batches a pack may hold: one UTC date, or those of a month (R66).
package struct PackedDates: Hashable, Comparable, Sendable {
  /// The date, or the first of the month.
  package let first: CalendarDate
  package let isMonth: Bool

  private init(first: CalendarDate, isMonth: Bool) { (self.first, self.isMonth) = (first, isMonth) }

  /// One date.
  package static func date(_ date: CalendarDate) -> PackedDates {
    PackedDates(first: date, isMonth: false)
  }

  /// The month of a date.
  package static func month(of date: CalendarDate) -> PackedDates {
    PackedDates(first: date.adding(days: 1 - date.day) ?? date, isMonth: true)
  }

  package func contains(_ date: CalendarDate) -> Bool {
    isMonth ? date.year == first.year && date.month == first.month : date == first
  }

  /// The dates, by age.
  package var all: [CalendarDate] {
    guard isMonth else { return [first] }
    return (0..<31).compactMap { first.adding(days: $0) }.filter(contains)
  }

  /// By age, a date before its month.
  package static func < (a: PackedDates, b: PackedDates) -> Bool {
    a.first == b.first ? !a.isMonth && b.isMonth : a.first < b.first
  }
}

extension PackedDates: CustomStringConvertible {
  /// `YYYY-MM-DD` or `YYYY-MM`.
  package var description: String {
    isMonth ? String(first.description.dropLast(3)) : first.description
  }

  /// The value of `description`; nil for any other text.
  init?(_ text: String, isMonth: Bool) {
    guard let first = CalendarDate(isMonth ? text + "-01" : text) else { return nil }
    self.init(first: first, isMonth: isMonth)
  }
}

extension BatchPack {
  /// A batch by its date and id.
  package struct Name: Hashable, Comparable, Sendable {
    package let date: CalendarDate
    package let id: String

    package init(_ date: CalendarDate, _ id: String) { (self.date, self.id) = (date, id) }

    package static func < (a: Name, b: Name) -> Bool {
      a.date == b.date ? a.id < b.id : a.date < b.date
    }
  }

  /// A pack of a stream and device by its dates and id.
  package struct Address: Hashable, Comparable, Sendable {
    package let dates: PackedDates
    package let id: String

    package init(_ dates: PackedDates, _ id: String) { (self.dates, self.id) = (dates, id) }

    package static func < (a: Address, b: Address) -> Bool {
      a.dates == b.dates ? a.id < b.id : a.dates < b.dates
    }
  }
}
