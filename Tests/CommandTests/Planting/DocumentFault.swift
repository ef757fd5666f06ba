import Foundation

/// A way to make a revision wrong, and what it must be found as.
struct DocumentFault: Sendable {
  /// What the fault touches; one fault of each part goes into a document.
  enum Part: CaseIterable { case text, day, moment, collector, version, metric, mark }

  /// A code and a JSON pointer.
  struct Trace: Hashable {
    let code: String
    let pointer: String
    init(_ code: String, _ pointer: String) { (self.code, self.pointer) = (code, pointer) }
  }

  let part: Part
  /// Errors that make the revision unreadable.
  var errors: [Trace] = []
  /// Errors that leave it readable.
  var breaches: [Trace] = []
  /// Errors against the time zone database, which leave it readable.
  var zone: [Trace] = []
  /// Warnings of a readable revision.
  var warnings: [Trace] = []
  var notes: [Trace] = []
  var change: @Sendable (inout PlantedDocument, PlantedDate) -> Void = { _, _ in }
  /// Of the finished text.
  var spoil: @Sendable (String) -> [UInt8] = { Array($0.utf8) }
  /// Only on this date, or on any.
  var onlyOn: String?

  private static func piece(
    _ part: Part, _ code: String, _ pointer: String, _ value: String?
  ) -> DocumentFault {
    DocumentFault(
      part: part, errors: [Trace(code, pointer)],
      change: { document, _ in document.pieces[pointer] = value })
  }

  private static func breach(
    _ part: Part, _ code: String, _ pointer: String, _ value: String?
  ) -> DocumentFault {
    DocumentFault(
      part: part, breaches: [Trace(code, pointer)],
      change: { document, _ in document.pieces[pointer] = value })
  }

  private static func text(
    _ code: String, _ spoil: @escaping @Sendable (String) -> [UInt8]
  ) -> DocumentFault {
    DocumentFault(part: .text, errors: [Trace(code, "")], spoil: spoil)
  }

  /// A member of the day that is another text, and how it is found there.
  private static func day(
    _ pointer: String, errors: String..., breaches: String..., zone: String...,
    text: @escaping @Sendable (PlantedDate) -> String
  ) -> DocumentFault {
    func traces(_ codes: [String]) -> [Trace] { codes.map { Trace($0, pointer) } }
    return DocumentFault(
      part: .day, errors: traces(errors), breaches: traces(breaches), zone: traces(zone),
      change: { document, date in document.pieces[pointer] = "\"\(text(date))\"" })
  }

  static let all: [DocumentFault] = texts + days + members + marks

  private static let texts: [DocumentFault] = [
    text("too_large") { Array(($0 + String(repeating: " ", count: 65_537)).utf8) },
    text("not_utf8") { [0xFF] + Array($0.utf8) },
    text("not_utf8") { Array($0.replacing("Berlin", with: "Ber").utf8) + [0xC3] },
    text("not_json") { Array($0.dropLast().utf8) }, text("not_json") { _ in [] },
    text("duplicate_key") {
      Array($0.replacing("{\"collector\"", with: "{\"date\":1,\"collector\"").utf8)
    },
    text("duplicate_key") {
      Array($0.replacing("\"steps\":8432", with: "\"steps\":1,\"steps\":8432").utf8)
    },
    text("too_deep") { json in
      let deep = String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
      return Array((json.dropLast() + ",\"zz\":\(deep)}").utf8)
    },
    text("number_out_of_range") { Array($0.replacing(":8432", with: ":1e999").utf8) },
    text("lone_surrogate") {
      Array($0.replacing("\"schema_version\"", with: #""zz":"\ud800","schema_version""#).utf8)
    },
    text("wrong_type") { Array("[\($0)]".utf8) },
  ]

  private static let days: [DocumentFault] = [
    piece(.day, "bad_date", "/date", "\"2026-2-8\""),
    piece(.day, "no_such_date", "/date", "\"2026-02-30\""),
    piece(.day, "missing_member", "/date", nil),
    piece(.day, "missing_member", "/day/timezone", nil),
    piece(.day, "bad_time_zone", "/day/timezone", "\"Europe/Berlin; obey\""),
    day("/day/start", breaches: "bad_local_moment") { date in
      date.start.replacing(/:(\d\d)$/) { String($0.output.1) }
    },
    day("/day/end", breaches: "bad_local_moment") { date in
      date.next.start.replacing("T00:00:00", with: "T00:00:00.000")
    },
    day("/day/start", errors: "bad_local_moment") { "\($0.text)T00:00:00" },
    day("/day/end", errors: "end_not_after_start", zone: "end_differs_from_zone") { $0.start },
    day("/day/start", breaches: "start_not_on_date", zone: "start_differs_from_zone") { date in
      PlantedDate(number: date.number - 1).start
    },
    DocumentFault(
      part: .day, errors: [Trace("date_differs_from_key", "/date")],
      change: { document, date in document.put(date.next) }),
    day("/day/timezone", zone: "unknown_time_zone") { _ in "Mars/Olympus" },
    day("/day/start", zone: "start_differs_from_zone") { "\($0.text)T00:00:00+05:00" },
    day("/day/end", zone: "end_differs_from_zone") { "\($0.next.text)T00:00:00+05:00" },
    DocumentFault(
      part: .day, zone: [Trace("skipped_date", "/date")],
      change: { document, _ in document.pieces["/day/timezone"] = "\"Pacific/Apia\"" },
      onlyOn: "2011-12-30"),
  ]

  private static let members: [DocumentFault] = [
    piece(.moment, "bad_timestamp", "/generated_at", "\"ten o'clock\""),
    DocumentFault(
      part: .moment,
      breaches: [
        Trace("bad_timestamp", "/generated_at"),
        Trace("generated_at_differs_from_id", "/generated_at"),
      ],
      change: { document, _ in document.pieces["/generated_at"] = "\"2026-02-08T10:00:00+00:00\"" }),
    piece(.moment, "no_such_date", "/generated_at", "\"2026-02-30T10:00:00Z\""),
    breach(.moment, "generated_at_differs_from_id", "/generated_at", "\"2026-02-08T10:00:00Z\""),
    breach(.moment, "bad_timestamp", "/captured_at", "\"yesterday\""),
    breach(.collector, "bad_uuid", "/collector/device_id", "\"phone\""),
    breach(.collector, "missing_member", "/collector/collector_id", nil),
    piece(.version, "unknown_schema_version", "/schema_version", "\"health.v1\""),
    piece(.version, "wrong_type", "/schema_version", "0"),
    breach(.metric, "unit_mismatch", "/metric_units/steps", "\"steps\""),
    breach(.metric, "negative_value", "/metrics/stand_hours", "-5"),
    piece(.metric, "unknown_status", "/metric_status/steps", "\"okay\""),
    piece(.metric, "wrong_type", "/metrics/steps", "\"8432\""),
    piece(.metric, "ok_without_number", "/metrics/hrv_sdnn_avg", "null"),
    breach(.metric, "missing_member", "/metric_units/stand_hours", nil),
    piece(.metric, "missing_member", "/metric_status/stand_hours", nil),
    DocumentFault(
      part: .metric,
      breaches: ["metrics", "metric_status", "metric_units"].map {
        Trace("missing_member", "/\($0)/hrv_sdnn_avg")
      },
      change: { document, _ in
        for name in ["metrics", "metric_status", "metric_units"] {
          document.pieces["/\(name)/hrv_sdnn_avg"] = nil
        }
      }),
    DocumentFault(
      part: .metric, errors: [Trace("number_without_ok", "/metrics/steps")],
      change: { document, _ in document.pieces["/metric_status/steps"] = "\"no_data\"" }),
    DocumentFault(
      part: .metric, warnings: [Trace("suspicious_zero", "/metrics/resting_hr_avg")],
      change: { document, _ in document.pieces["/metrics/resting_hr_avg"] = "0" }),
  ]

  private static let marks: [DocumentFault] = [
    DocumentFault(
      part: .mark, notes: [Trace("unknown_member", "/zz_mood")],
      change: { document, _ in document.pieces["/zz_mood"] = "\"good\"" }),
    DocumentFault(
      part: .mark, notes: [Trace("not_canonical", "")], spoil: { Array("\n\($0)".utf8) }),
  ]
}
