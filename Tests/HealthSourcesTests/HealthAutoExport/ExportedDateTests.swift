import HealthModel
import TestSupport
import Testing

@testable import HealthSources

/// How dates are read that a phone writes in its language, with its clock and its calendar.
@Suite(.unit) struct ExportedDateTests {
  /// 20:00 on 2026-05-14.
  @Test(arguments: [
    "2026-05-14 20:00:00 +0000", "2026-05-14T20:00:00Z", "2026-05-14 20:00:00.250 +00:00",
    "2026-05-14 8:00:00 pm +0000", "2026-05-14 8:00:00 p.\u{A0}m. +0000",
    "2026-05-14 8:00:00\u{202F}PM +0000", "2026-05-14 下午8:00:00 +0000",
    "2026-05-14 晚上8:00:00 +0000", "2026-05-14 午後8:00:00 +0000", "2026-05-14 오후 8:00:00 +0000",
    "2026-05-14 8:00:00 μ.μ. +0000", "2026-05-14 8:00:00 Μ.Μ. +0000", "2026-05-14 8:00:00 CH +0000",
    "2026-05-14 8:00:00 م +0000", "٢٠٢٦-٠٥-١٤ ٨:٠٠:٠٠ م +٠٠٠٠", "2026-05-14 8:00:00 ÖS +0000",
    "2026-05-14 ÖS 8:00:00 +0000", "2026-05-14 8:00:00 e.m. +0000", "2026-05-14 du. 8:00:00 +0000",
    "2026-05-14 8:00:00 сл.об. +0000", "2026-05-14 8:00:00 אחה״צ +0000",
    "2026-05-14 8:00:00 odp. +0000",
    "2026-05-14 8:00:00 หลังเที่ยง +0000", "2026-05-14 8:00:00 अपराह्न +0000",
    "2026-05-14 8:00:00 пп +0000",
    "٢٠٢٦-٠٥-١٤ ٢٠:٠٠:٠٠ +0000", "\u{200F}٢٠٢٦\u{200F}-٠٥-١٤ ٢٠:٠٠:٠٠ +٠٠٠٠",
    "۲۰۲۶-۰۵-۱۴ ۲۰:۰۰:۰۰ +۰۰۰۰", "२०२६-०५-१४ २०:००:०० +००००", "2026-05-14 20:00:00 \u{2212}0000",
    "2569-05-14 20:00:00 +0000", "๒๕๖๙-๐๕-๑๔ ๒๐:๐๐:๐๐ +๐๐๐๐", "2569-05-14 8:00:00 PM +0000",
  ])
  func `one moment, as phones write it`(text: String) throws {
    let date = try #require(ExportedDate(text))
    #expect(date.moment == 1_778_788_800)
    #expect(date.isBuddhist == (text.contains("2569") || text.contains("๒")))
  }

  @Test(arguments: [
    ("2026-05-14 午前0:30:00 +0000", 30), ("2026-05-14 12:30:00 am +0000", 30),
    ("2026-05-14 午後0:30:00 +0000", 750), ("2026-05-14 오후 12:30:00 +0000", 750),
    ("2026-05-14 中午12:30:00 +0000", 750), ("2026-05-14 凌晨12:30:00 +0000", 30),
    ("2568-02-28", 0), ("2567-02-29 00:00:00 +0000", 0),
  ])
  func `noon, midnight and leap years`(text: String, minutes: Int) {
    #expect(ExportedDate(text)?.secondsOfDay == minutes * 60)
  }

  @Test(arguments: [
    // A part of the day that does not hold the hour, or a word that is not known.
    "2026-05-14 早上9:00:00 +0000", "2026-05-14 8:00:00 xm +0000", "2026-05-14 20:00:00 pm +0000",
    "2026-05-14 午後8:00:00 pm +0000", "2026-05-14 13:00:00 下午 +0000",
    // Years of other calendars.
    "0008-05-14 20:00:00 +0000", "1447-05-14 20:00:00 +0000", "5786-05-14 20:00:00 +0000",
    "2200-05-14 20:00:00 +0000", "2442-05-14 20:00:00 +0000", "2743-05-14 20:00:00 +0000",
    // 2024 is a leap year, and 2567 the same.
    "2568-02-29", "2026-02-30", "2026-5-14", "14-05-2026", "2026-05-14 20:00:00",
    "2026-05-14 20:00",
    "2026-05-1420:00:00 +0000", "", " ", "下午", "2026-05-14 下午", "2026-05-14 下午8:00:00",
    String(repeating: "0", count: 500),
  ])
  func `what two readings fit, or none, is not a date`(text: String) {
    #expect(ExportedDate(text) == nil)
  }

  @Test func `a refusal names the setting of the phone, and what was read otherwise is said`()
    throws
  {
    func steps(_ date: String) -> String {
      Payloads.export([("step_count", "count", [Payloads.row(date, "900")])])
    }
    let era = try Payloads.error(steps("0008-05-14 20:00:00 +0900"))
    #expect(era.problems.first?.message.contains("Language & Region > Calendar") == true)
    let clock = try Payloads.error(steps("2026-05-14 8:00:00 xm +0900"))
    #expect(clock.problems.first?.message.contains("24-Hour Time") == true)
    let buddhist = try Payloads.days(steps("2569-05-14 20:00:00 +0700"))
    #expect(buddhist.table == ["2026-05-14": ["steps": "900.0"]])
    #expect(
      buddhist.notes == ["1 date was written in Buddhist years, and read 543 years earlier"])
  }
}
