import TestSupport

/// An Apple Health export of a few elements.
enum SmallExport {
  /// A record of a quantity.
  ///
  /// - Parameters:
  ///   - type: without `HKQuantityTypeIdentifier`, such as `StepCount`.
  ///   - start: as Apple writes it, such as `2024-06-10 10:00:00 +0200`.
  ///   - end: the same as `start` if it is nil.
  static func record(
    _ type: String, _ value: some CustomStringConvertible, unit: String = "count",
    source: String = "iPhone", from start: String, to end: String? = nil
  ) -> String {
    """
    <Record type="HKQuantityTypeIdentifier\(type)" sourceName="\(source)" unit="\(unit)" \
    startDate="\(start)" endDate="\(end ?? start)" value="\(value)"/>
    """
  }

  /// The bytes of an export with one element on each line. The first one is on line 4.
  static func bytes(made: String, _ elements: [String]) -> [UInt8] {
    let head = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<HealthData locale=\"en\">",
      " <ExportDate value=\"\(made)\"/>",
    ]
    let lines = head + elements.map { " " + $0 } + ["</HealthData>", ""]
    return Array(lines.joined(separator: "\n").utf8)
  }
}

extension Program {
  /// Writes a small export to this program's home, and returns its path.
  func export(_ name: String = "export.xml", made: String, _ elements: [String]) throws -> String {
    try file(name, SmallExport.bytes(made: made, elements))
  }
}
