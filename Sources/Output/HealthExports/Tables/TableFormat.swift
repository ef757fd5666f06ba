import HealthModel

/// One value of a table; nil stands for no data, never for 0.
package enum TableValue: Hashable, Sendable {
  /// Text that anybody may have written.
  case text(String)
  /// Text that this program made: a date, a moment, an id, a word.
  case word(String)
  case number(Double)
  case flag(Bool)
}

package enum TableFormat: String, CaseIterable, Hashable, Sendable {
  /// Comma-separated values with one header (RFC 4180), lines ended by a line feed.
  case csv
  /// One JSON object a line, with every column as a member.
  case json
}

/// Rows as bytes, one after another, so that a table of any length needs little memory.
package struct TableEncoder: Sendable {
  private let format: TableFormat
  private let columns: [String]
  /// The names as JSON keys, each with what stands before it.
  private let keys: [[UInt8]]

  package init(_ format: TableFormat, _ columns: [String]) {
    (self.format, self.columns) = (format, columns)
    keys = columns.enumerated().map { place, column in
      (place == 0 ? [UInt8(ascii: "{")] : [UInt8(ascii: ",")])
        + JSONValue.string(column).canonicalBytes + [UInt8(ascii: ":")]
    }
  }

  /// What stands above the rows: a line of names, or nothing.
  package var header: [UInt8] {
    switch format {
    case .csv:
      Array((columns.map { CSV.quoted($0) }.joined(separator: ",") + "\n").utf8)
    case .json: []
    }
  }

  package func append(_ row: [TableValue?], to bytes: inout [UInt8]) {
    for (place, value) in row.enumerated() {
      switch format {
      case .csv:
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        if let value { bytes += CSV.field(value).utf8 }
      case .json:
        bytes += keys[place]
        bytes += (value.map(\.json) ?? .null).canonicalBytes
      }
    }
    if format == .json { bytes.append(UInt8(ascii: "}")) }
    bytes.append(UInt8(ascii: "\n"))
  }
}

extension TableValue {
  fileprivate var json: JSONValue {
    switch self {
    case .text(let text), .word(let text): .string(text)
    case .number(let number): .number(number)
    case .flag(let flag): .bool(flag)
    }
  }
}

/// Fields of comma-separated values.
private enum CSV {
  static func field(_ value: TableValue) -> String {
    switch value {
    case .number(let number): JSONValue.number(number).canonicalText
    case .flag(let flag): flag ? "true" : "false"
    case .word(let text): quoted(text)
    case .text(let text): quoted(harmless(text))
    }
  }

  /// In quotes where a comma, a quote or a line break asks for it, or where an empty field would
  /// be read as no data.
  static func quoted(_ text: String) -> String {
    guard text.isEmpty || text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else {
      return text
    }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// A spreadsheet takes text that begins so for a formula, and anybody may name a source so: an
  /// apostrophe before it makes it text. Signs of full width count as theirs, and what is not seen
  /// before a sign does not hide it.
  private static func harmless(_ text: String) -> String {
    guard let first = text.unicodeScalars.first else { return text }
    let seen = text.unicodeScalars.first { !isUnseen($0) } ?? first
    let isRisky = signs.contains(seen) || first == "\t" || first == "\r" || first == "\n"
    return isRisky ? "'" + text : text
  }

  private static let signs = Set("=+-@＝＋－＠﹦﹢﹣﹫".unicodeScalars)

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value <= 0x20 || scalar.value == 0x7F }
    if scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isWhitespace {
      return true
    }
    return switch scalar.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark: true
    default: false
    }
  }
}

extension JSONValue {
  fileprivate var canonicalText: String { String(decoding: canonicalBytes, as: UTF8.self) }
}
