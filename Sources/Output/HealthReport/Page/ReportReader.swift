package import HealthModel

/// For whom a report is made, and what it says of the person. Nothing is said that is not given.
package struct ReportReader: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The person: each metric with its chart first.
    case me
    /// A doctor: averages and readings on the first page, coverage and findings in an appendix.
    case doctor
  }

  package var kind: Kind
  /// The person's name.
  package var name: String?
  /// The person's date of birth.
  package var born: CalendarDate?

  package init(_ kind: Kind = .me, name: String? = nil, born: CalendarDate? = nil) {
    (self.kind, self.name, self.born) = (kind, name, born)
  }

  /// `Ann Example, born 1970-01-31`; nil if nothing was given.
  var person: String? {
    let parts = [name, born.map { "born \($0)" }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
