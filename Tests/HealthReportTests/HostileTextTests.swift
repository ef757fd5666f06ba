import HealthLedger
import HealthModel
import ObjectStore
import StoreTesting
import TestSupport
import Testing

@testable import HealthReport

/// Strings of a store are anybody's: a page shows them and obeys none.
@Suite(.process) struct HostileTextTests {
  static let pieces: [String] =
    [
      "<script>alert(1)</script>", "</style><script>", "\"", "'", "&", "&amp;", "&lt", "&#60;",
      "]]>",
      "<!--", "-->", "</title>", "<svg onload=x>", "javascript:", "\" onmouseover=\"x", "`", "\\",
      "<", ">", "=", "<\u{338}", "\"\u{301}", "&\u{20DD}", "\u{0}", "\u{8}", "\t", "\n", "\r",
      "\u{1B}[31m", "\u{7F}", "\u{85}", "\u{9B}", "\u{AD}", "\u{200B}", "\u{200D}", "\u{200F}",
      "\u{2028}", "\u{2029}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{61C}", "\u{FEFF}",
      "\u{E0041}", "مرحبا", "é", "e\u{301}", "日本", "👩‍👩‍👧", "ﬀ", " ",
      "\u{A0}", "a", "Z", "0", "/", "%3Cscript%3E", "{{x}}", "${x}", "<a href=//x>",
      "<base href=x>",
      "<meta http-equiv=refresh>", "\u{FF1C}script\u{FF1E}",
    ] + ([0xFDD0, 0xFFFE, 0x10FFFF] as [UInt32]).compactMap { Unicode.Scalar($0).map(String.init) }

  static func text(_ random: inout SplitMix64) -> String {
    (0..<Int.random(in: 1...8, using: &random)).map { _ in
      pieces[Int.random(in: 0..<pieces.count, using: &random)]
    }.joined()
  }

  @Test func `random hostile strings are text in the page, and its markup stays the same`()
    async throws
  {
    var random = SplitMix64(seed: 20_261_121)
    var pages: [(html: [UInt8], expect: [String])] = []
    let count = TestDepth.full(300, usual: 60)
    for _ in 0..<count {
      let sample = SampleRange()
      try await sample.publish("2026-02-01", SampleRange.all())
      var expect: [String] = []
      for _ in 0..<4 {
        let key = "health/v0/data/2026/02/01/" + Self.text(&random)
        // What no store can hold is not tried.
        guard ObjectKey(key) != nil, sample.ledger.layout.member(key) != nil else { continue }
        try? await sample.plant(key, [0x31])
        expect.append(key)
      }
      let (name, maker) = (Self.text(&random), Self.text(&random))
      expect += [name, maker]
      let report = try await sample.report(
        "2026-02-01", "2026-02-02", storeName: name, maker: maker)
      pages.append((try ReportPage(report).bytes, expect))
    }
    let read = try await ReadPage.read(pages)
    for page in read { #expect(page.bad == []) }
    #expect(read.allSatisfy { $0.rows.count == 2 && $0.sparks.count == 8 })
    #expect(pages.map(\.expect.count).reduce(0, +) > 3 * count)
  }

  @Test func `R41 a zone that is not known is shown, and a text that is not a name is not`()
    async throws
  {
    let sample = SampleRange()
    let names = ["<script>alert(1)</script>", "Mars/\u{202E}Olympus", "\"><svg onload=x>"]
    let long = String(repeating: "<b>", count: 200)
    let unknown = "Mars/" + String(repeating: "O", count: 59)
    for (place, name) in (names + [long, unknown]).enumerated() {
      let date = try sample.date("2026-02-0\(place + 1)")
      let day = try ReportingDay(date: date, timeZoneName: "Europe/Berlin")
      let id = RevisionID(at: SampleRange.published, entropy: 1)
      let revision = DailyRevision(
        day: day, generatedAt: SampleRange.published, collector: SampleRange.collector,
        readings: SampleRange.all())
      var document = try #require(try JSONValue(parsing: revision.encoded).objectValue)
      var boundaries = try #require(document["day"]?.objectValue)
      boundaries["timezone"] = .string(name)
      document["day"] = .object(boundaries)
      document["digest"] = nil
      try await sample.plant(
        sample.ledger.layout.revisionKey(date, id).rawValue,
        JSONValue.object(document).canonicalBytes)
    }
    let page = try await ReadPage.read(
      sample.report("2026-02-01", "2026-02-05"), expect: [unknown])
    #expect(page.bad == [])
    #expect(
      page.rows.map { $0[1] } == Array(repeating: "no valid revision", count: 4) + ["faulty"])
    #expect(page.origins.count == 2)
  }

  @Test func `more names than a page can show are counted together`() {
    var digest = OriginDigest()
    for number in 0..<120 { digest.add("zone \(number)") }
    digest.add("zone 3")
    #expect(digest.ordered.count == 50 && digest.others == 70)
    #expect(digest.ordered.first?.name == "zone 3")
  }
}
