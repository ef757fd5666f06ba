import Foundation
import HTTPClient
import Testing

@testable import S3Store

@Suite(.unit) struct ServerTimeTests {
  @Test(arguments: [
    ("Sat, 21 Nov 2026 07:33:59 GMT", 1_795_246_439),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
    ("Sun, 31 Dec 2000 00:00:00 GMT", 978_220_800),
  ])
  func `an HTTP date is read`(text: String, seconds: Int) {
    #expect(ServerTime.http(text) == seconds)
  }

  @Test(arguments: [
    "", "now", "Saturday, 21-Nov-26 07:33:59 GMT", "Sat Nov 21 07:33:59 2026",
    "Sat, 21 Nov 2026 07:33:59 UTC", "Sat, 21 Nov 2026 07:33:59", "Sat, 32 Nov 2026 07:33:59 GMT",
    "Sat, 21 Nov 2026 24:00:00 GMT", "Sat, 21 Nov 99999 07:33:59 GMT",
    "Sat, 21 Nov 2026 -7:33:59 GMT", "Sat, 21 Nov 1969 07:33:59 GMT",
    "Sat, 21 Nov 2026 7:33:59 GMT",
  ])
  func `anything else is not a date`(text: String) {
    #expect(ServerTime.http(text) == nil)
  }

  @Test func `days are counted as Foundation counts them`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for day in stride(from: 0, to: 60_000, by: 17) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3661)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let text = String(
        format: "%04d-%02d-%02dT01:01:01.999Z", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
      #expect(ServerTime.iso8601(text) == day * 86_400 + 3661)
    }
  }

  @Test(arguments: [
    "", "2026-11-21", "2026-11-21T07:33:59", "2026-11-21T07:33:59+00:00", "2026-11-21 07:33:59Z",
    "2026-11-21T07:33:59.x Z", "2026-1-21T07:33:59ZZZ", "+026-11-21T07:33:59Z",
  ])
  func `other spellings of a listing's time are left out`(text: String) {
    #expect(ServerTime.iso8601(text) == nil)
  }
}

@Suite(.unit) struct ServerClockTests {
  private let now = 1_795_246_439
  private func clock() -> ServerClock { ServerClock(localNow: { [now] in now }) }
  private let hourAhead = "Sat, 21 Nov 2026 08:33:59 GMT"

  @Test func `what is observed is known at once and signed with only when adopted`() {
    let clock = clock()
    #expect(clock.offset == nil)
    #expect(!clock.isSkewed(signedWith: clock.correction))
    clock.observe(date: hourAhead, age: nil)
    #expect(clock.offset == 3600)
    #expect(clock.isSkewed(signedWith: clock.correction))
    #expect(clock.signingTime() == now)
    clock.adoptObserved()
    #expect(clock.signingTime() == now + 3600)
    #expect(clock.isSkewed(signedWith: 0), "a request that was sent before")
    #expect(!clock.isSkewed(signedWith: clock.correction))
  }

  @Test(arguments: [
    (nil, nil), ("nonsense", nil), ("Thu, 01 Jan 1970 00:00:00 GMT", nil),
    ("Tue, 01 Jan 2150 00:00:00 GMT", nil), ("Sat, 21 Nov 2026 08:33:59 GMT", "60"),
  ])
  func `a missing, absurd or cached Date is ignored`(date: String?, age: String?) {
    let clock = clock()
    clock.observe(date: date, age: age)
    #expect(clock.offset == nil)
    clock.adoptObserved()
    #expect(clock.signingTime() == now)
  }

  @Test func `a small difference is not a skew`() {
    let clock = clock()
    clock.observe(date: "Sat, 21 Nov 2026 07:38:59 GMT", age: "0")
    #expect(clock.offset == 300)
    #expect(!clock.isSkewed(signedWith: clock.correction))
  }
}
