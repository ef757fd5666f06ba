import CommandLineKit
import HealthModel
import TestSupport
import Testing

@testable import s3health

/// What a command's result is in JSON (docs/OUTPUT.md).
@Suite(.unit) struct ResultEncodingTests {
  private struct Result: CommandResult, Encodable {
    let daysHeld: Int
    let from: CalendarDate?
    let store, before: String?
    let isSet: Bool?
    let codes: [String: Int]
    @OmittedIfNil var records: Int? = nil
    @OmittedIfNil var damaged: Int? = 0
    @TextOnly var today: CalendarDate

    func lines(_ terminal: Terminal) -> [String] { [] }
  }

  @Test func `R40: a result encodes itself: names with underscores, null for nil, data as it is`()
    throws
  {
    let date = try #require(CalendarDate("2026-02-08"))
    let result = Result(
      daysHeld: 2, from: date, store: "s3://a/é", before: nil, isSet: nil, codes: ["aB": 1],
      today: date)
    #expect(
      String(decoding: try result.json(), as: UTF8.self) == """
        {"before":null,"codes":{"aB":1},"damaged":0,"days_held":2,"from":"2026-02-08",\
        "is_set":null,"store":"s3://a/é"}
        """)
  }

  @Test func `R40: a document that is written out holds results and nulls`() throws {
    let none: CalendarDate? = nil
    var document: Document = ["to": none, "numbers": [0.1, 1e21, 5]]
    document["left"] = none
    document["part"] = ["x_y": true, "counts": ["aB": 1]] as Document
    #expect(
      String(decoding: try JSONValue(encoding: document).canonicalBytes, as: UTF8.self)
        == #"{"numbers":[0.1,1e+21,5],"part":{"counts":{"aB":1},"x_y":true},"to":null}"#)
  }
}
