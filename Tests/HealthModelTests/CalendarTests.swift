import HealthModel
import StoreTesting
import Testing

/// R1, R2 and R6: the texts of dates, moments and ids.
@Suite(.unit) struct CalendarTests {
  @Test func `R1: every date from 0001 to 9999 is counted and spelled without a gap`() throws {
    // Walked from day to day, without the eras that the calendar counts in.
    var (year, month, day) = (1, 1, 1)
    var wrong: [Int] = []
    for days in -719_162...2_932_896 {
      let date = CalendarDate(daysSince1970: days)
      if date?.year != year || date?.month != month || date?.day != day
        || date?.daysSince1970 != days
      {
        wrong.append(days)
      }
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
      (month, day) = day == length ? (month + 1, 1) : (month, day + 1)
      if month == 13 { (year, month) = (year + 1, 1) }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    #expect(CalendarDate(daysSince1970: -719_163) == nil)
    #expect(CalendarDate(daysSince1970: 2_932_897) == nil)
    #expect(CalendarDate("0001-01-01")?.daysSince1970 == -719_162)
    #expect(CalendarDate("9999-12-31")?.daysSince1970 == 2_932_896)
  }

  @Test(arguments: [
    "2026-02-29", "2100-02-29", "0000-01-01", "2026-13-01", "2026-04-31", "2026-2-8", "26-02-08",
    "2026-02-08 ", " 2026-02-08", "2026/02/08", "+026-02-08", "２０２６-02-08", "2026-02-00", "",
  ])
  func `R1: a text that is not a date of the calendar is refused`(_ text: String) {
    #expect(CalendarDate(text) == nil)
  }

  @Test(arguments: [
    "2026-02-08T10:00:00", "2026-02-08T10:00:00+00:00", "2026-02-08T10:00:60Z",
    "2026-02-08T24:00:00Z", "2026-02-08t10:00:00z", "2026-02-30T10:00:00Z", "2026-02-08T10:00Z",
    "2026-02-08T10:00:00.Z", "2026-02-08T10:00:00.1234567890Z", "2026-02-08T10:00:00,5Z", "",
  ])
  func `R2: a text that is not a timestamp is refused`(_ text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func `R2: fractional seconds are dropped`() {
    #expect(
      Timestamp("2026-02-08T10:00:00.999999999Z")?.description == "2026-02-08T10:00:00Z")
    #expect(Timestamp("1969-12-31T23:59:59.5Z")?.secondsSince1970 == -1)
  }

  @Test(arguments: [
    "20260208T100000Z-7F3A2", "20260208t100000z-7F3A2C", "20260208T100000-7F3A2C",
    "20260230T100000Z-7F3A2C", "20260208T240000Z-7F3A2C", "20260208T100000Z-7F3A2G",
    "20260208T100000Z_7F3A2C", "2026-02-08T10:00:00Z-7F3A2C", "20260208T100000Z-7F3A2C.json", "",
    "20260208T100000Z-" + String(repeating: "A", count: 234),
  ])
  func `R6: a text that is not a revision id is refused`(_ text: String) {
    #expect(RevisionID(text) == nil)
  }

  @Test func `R6: a suffix may be lower case and as long as a key's part allows`() throws {
    let texts = ["7F3A2C", "7f3a2c", "7f3A2C", String(repeating: "e", count: 233)].map {
      "20260208T100000Z-" + $0
    }
    let ids = try texts.map { try #require(RevisionID($0)) }
    #expect(ids.map(\.rawValue) == texts)
    #expect(Set(ids.map(\.timestamp)).count == 1)
    // By bytes, as stores list keys: lower case comes after upper case of the same second.
    #expect(ids[0] < ids[2] && ids[2] < ids[1] && ids[1] < ids[3])
    let date = try #require(CalendarDate("2026-02-08"))
    for id in ids {
      let pointer = LatestPointer(date: date, revisionID: id)
      #expect(LatestPointer.decode(pointer.encoded, date: date).pointer == pointer)
    }
  }

  @Test func `R6: ids sort by age, then by suffix`() throws {
    var random = SplitMix64(seed: 6)
    let ids = (0..<500).map { _ in
      RevisionID(
        at: Timestamp(secondsSince1970: Int.random(in: 0...4_000_000_000, using: &random)),
        entropy: UInt32.random(in: 0...UInt32.max, using: &random))
    }
    for id in ids { #expect(RevisionID(id.rawValue) == id) }
    let sorted = ids.sorted().map(\.timestamp)
    #expect(sorted == ids.map(\.timestamp).sorted())
    let short = try #require(RevisionID("20260208T100000Z-7F3A2C"))
    let long = try #require(RevisionID("20260208T100000Z-7F3A2C00"))
    #expect(short < long)
  }

  @Test func `R21: above an id of the calendar's last second there is one more`() throws {
    func digits(_ digit: String, _ count: Int) -> String { String(repeating: digit, count: count) }
    let cases: [(suffix: String, step: UInt32, above: String)] = [
      ("000000", 0, digits("0", 31) + "1"),
      ("7F3A2C99", 21, "7F3A2C99" + digits("0", 22) + "10"),
      (digits("f", 31) + "0", 20, digits("f", 32)),
      // One digit more has no room among 32.
      (digits("f", 32), 0, digits("f", 32) + digits("0", 200) + "1"),
      (digits("f", 232) + "e", 0, digits("f", 233)),
    ]
    for (suffix, step, above) in cases {
      let id = try #require(RevisionID("99991231T235959Z-\(suffix)"))
      let next = try #require(id.next(adding: step))
      #expect(next.rawValue == "99991231T235959Z-\(above)" && next > id)
    }
  }

  @Test func `R21: above the greatest id that can be written there is none`() throws {
    let greatest = try #require(
      RevisionID("99991231T235959Z-" + String(repeating: "f", count: 233)))
    #expect(greatest.next(adding: 0) == nil)
    var random = SplitMix64(seed: 21)
    var id = RevisionID(at: .last, entropy: 0xFFFF_FFFF)
    for _ in 0..<10_000 {
      let next = try #require(id.next(adding: UInt32.random(in: 0...UInt32.max, using: &random)))
      #expect(next > id && next.rawValue.count == 49)
      id = next
    }
  }
}
