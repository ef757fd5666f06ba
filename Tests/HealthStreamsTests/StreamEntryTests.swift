import HealthModel
import Testing

@testable import HealthStreams

@Suite(.unit) struct StreamEntryTests {
  /// An entry from JSON text.
  private func entry(_ text: String, _ stream: StreamName) throws -> StreamEntry {
    try StreamEntry(JSONValue(parsing: Array(text.utf8)), of: stream)
  }

  @Test func `R44: times are written in UTC to the millisecond, and values are rounded`() throws {
    let entry = try entry(
      #"""
      {"timestamp":"2025-01-30T11:00:00.12345+01:00","value":72.5,"unit":"bpm",
       "sample_type":"HKQuantityTypeIdentifierHeartRate"}
      """#, .healthKit)
    #expect(
      String(decoding: entry.bytes, as: UTF8.self)
        == #"{"sample_type":"HKQuantityTypeIdentifierHeartRate","timestamp":"2025-01-30T10:00:00.123Z","unit":"bpm","value":73}"#
    )
    #expect(entry.start == Timestamp("2025-01-30T10:00:00Z"))
  }

  @Test(arguments: [
    (#"{"latitude":1}"#, "/timestamp"), (#"[]"#, ""),
    (#"{"timestamp":"2025-01-30T10:00:00Z","latitude":91,"longitude":0}"#, "/latitude"),
    (#"{"timestamp":"yesterday","latitude":1,"longitude":0}"#, "/timestamp"),
  ])
  func `R44: a faulty entry is refused with the pointer of its member`(
    text: String, pointer: String
  ) throws {
    let error = #expect(throws: RequestFault.self) { try entry(text, .location) }
    #expect(error?.pointer == pointer)
  }

  @Test func `R44: an optional member that is null is left out`() throws {
    let sample = #""timestamp":"2025-01-30T10:00:00.000Z","value":7,"unit":"count""#
    let type = #""sample_type":"HKQuantityTypeIdentifierStepCount""#
    let without = try entry("{\(sample),\(type)}", .healthKit)
    let nulls = #""uuid":null,"source":null,"end_timestamp":null,"deleted":null"#
    #expect(try entry("{\(sample),\(type),\(nulls)}", .healthKit) == without)
    let place = #""timestamp":"2025-01-30T10:00:00.000Z","latitude":1,"longitude":2,"speed":null"#
    let rest = #""altitude":null,"horizontal_accuracy":1,"vertical_accuracy":1"#
    #expect(
      try entry("{\(place),\(rest),\"kind\":null}", .location)
        == entry("{\(place),\(rest)}", .location))
    // One that every entry has is not.
    let error = #expect(throws: RequestFault.self) {
      try entry("{\(sample),\"sample_type\":null}", .healthKit)
    }
    #expect(error?.pointer == "/sample_type")
  }
}
