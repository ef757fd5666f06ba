import AppleExport
import Foundation
import HealthModel
import Testing

/// What a record's attributes say, however they are written.
@Suite(.unit) struct RecordTests {
  /// A record of steps with some attributes changed.
  private func steps(
    value: String = "7", start: String = "2024-06-15 20:30:00 +0200", more: String = ""
  ) -> String {
    """
    <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
    startDate="\(start)" endDate="2024-06-15 20:31:00 +0200" value="\(value)"\(more)/>
    """
  }

  private let sample = ExportSample(
    kind: .stepCount, unit: .count, source: 0, start: 1_718_476_200, end: 1_718_476_260, value: 7)

  @Test func `a record is a sample`() throws {
    let found = try ExportScanner.content(steps())
    #expect(found.samples == [sample])
    #expect(found.sources == [ExportSource(name: "Phone")])
    #expect(found.skipped == [])
  }

  @Test func `quotes of both kinds, line breaks and any order are the same record`() throws {
    let found = try ExportScanner.content(
      """
      <Record
        endDate = '2024-06-15 20:31:00 +0200'
        value='7' unit = "count"\tstartDate="2024-06-15 20:30:00 +0200"
        type='HKQuantityTypeIdentifierStepCount'
        sourceName="Phone"
      ></Record>
      """)
    #expect(found.samples == [sample])
  }

  @Test func `references are resolved in every attribute`() throws {
    let found = try ExportScanner.content(
      """
      <Record type="HKQuantityTypeIdentifier&#83;tepCount" sourceName="A&amp;B &#x2019;&#160;&apos;" \
      unit="&#x63;ount" value="&#55;" startDate="2024&#45;06-15 20:30:00 +0200" \
      endDate="2024-06-15 20:31:00 &#43;0200"/>
      """)
    #expect(found.samples == [sample])
    #expect(found.sources == [ExportSource(name: "A&B \u{2019}\u{A0}'")])
  }

  @Test(arguments: [
    ("mmol&lt;180.1558800000541&gt;/L", SampleUnit.millimolePerLitre),
    ("mmol&lt;180.15588>/L", .millimolePerLitre), ("mmol/L", .millimolePerLitre),
    // Of cholesterol, say: a mole is its mass in grams.
    ("mmol&lt;386.65&gt;/L", .milligramPerDecilitre),
    ("mmol&lt;&gt;/L", .unknown), ("mmol&lt;>/L", .unknown),
    ("mmol&lt;180.15588&gt;/dL", .milligramPerDecilitre), ("mg/dL", .milligramPerDecilitre),
    ("mg/dl", .milligramPerDecilitre), ("inHg", .millimetreOfMercury),
    ("mL/min&#183;kg", .oxygenUptake), ("mL/min·kg", .oxygenUptake), ("ml/(kg*min)", .oxygenUptake),
    ("ml/kg/min", .oxygenUptake), ("ml/(kg·min)", .oxygenUptake), ("ft/s", .footPerSecond),
    ("bpm", .countPerMinute), ("kcal/(kg·hr)", .physicalEffort), ("cup_imp", .imperialCup),
    ("J", .joule), ("d", .day), ("L/s", .litrePerSecond), ("kcal/hr·kg", .physicalEffort),
    ("degF", .degreeFahrenheit),
    ("dBASPL", .decibel), ("appleEffortScore", .effortScore), ("mcS", .microsiemens),
    ("fl_oz_us", .fluidOunce), ("", .none), ("furlong", .unknown),
    ("a unit that is much longer than any", .unknown),
  ])
  func `each spelling of a unit`(text: String, unit: SampleUnit) throws {
    let record = steps().replacing("unit=\"count\"", with: "unit=\"\(text)\"")
    // Twice, for the last answer is remembered; then another, which must not be it.
    let found = try ExportScanner.content(record + record + steps())
    #expect(found.samples.map(\.unit) == [unit, unit, .count])
  }

  @Test func `a reference that is not valid is left as it is`() throws {
    let record = steps().replacing("Phone", with: "&lol; & &#xD800; &#0; &; &amp")
    let found = try ExportScanner.content(record)
    #expect(found.sources == [ExportSource(name: "&lol; & &#xD800; &#0; &; &amp")])
  }

  @Test func `sources are distinguished by name and hardware, not by the address in device`() throws
  {
    func device(_ address: String, _ hardware: String, software: String = "10") -> String {
      """
       device="&lt;&lt;HKDevice: \(address)&gt;, name:Apple Watch, manufacturer:Apple Inc., \
      model:Watch, hardware:\(hardware), software:\(software)&gt;"
      """
    }
    let found = try ExportScanner.content(
      steps(more: device("0x28301c1e0", "Watch6,2")) + steps(more: device("0x283", "Watch6,2"))
        + steps(more: device("0x28301c1e0", "Watch7,1"))
        + steps(more: device("0x1", "Watch6,2", software: "11.1")) + steps())
    #expect(
      found.sources == [
        ExportSource(name: "Phone", hardware: "Watch6,2"),
        ExportSource(name: "Phone", hardware: "Watch7,1"), ExportSource(name: "Phone"),
      ])
    #expect(found.samples.map(\.source) == [0, 0, 1, 0, 2])
  }

  @Test func `a name may hold a vertical tab, a curly apostrophe, invalid UTF-8`() throws {
    let record = Array(steps().utf8)
    let name = try #require(record.firstRange(of: Array("Phone".utf8)))
    for (bytes, text) in [
      ([0x41, 0x0B, 0x42], "A\u{0B}B"), ([0x41, 0xE2, 0x80, 0x99, 0xC2, 0xA0], "A\u{2019}\u{A0}"),
      ([0x41, 0xFF, 0xC3], "A\u{FFFD}\u{FFFD}"), ([0x00], "\u{0}"),
    ] as [([UInt8], String)] {
      let found = try ExportScanner.content(
        bytes: record[..<name.lowerBound] + bytes + record[name.upperBound...])
      #expect(found.sources == [ExportSource(name: text)])
      #expect(found.samples == [sample])
    }
  }

  @Test func `dates of iOS 8 are read`() throws {
    let found = try ExportScanner.content(steps(start: "20150616071916-0700"))
    #expect(found.samples.map(\.start) == [1_434_464_356])
  }

  @Test func `records of iOS 8 are read, with metadata as attributes whose names have spaces`()
    throws
  {
    let found = try ExportScanner.content(
      """
      <Record type="HKQuantityTypeIdentifierStepCount" source="Scale" unit="count" \
      creationDate="20150616071916-0700" startDate="20150616071820-0700" \
      endDate="20150616072820-0700" Mate App Version="2.6.0" Modified  Date = "2015-06-16 14:19:08" \
      value="300" recordCount="4"/>
      """)
    #expect(found.samples.map(\.value) == [300])
    #expect(found.sources == [ExportSource(name: "Scale")])
    #expect(found.skipped.isEmpty)
  }

  @Test(arguments: [
    "", "2024-06-15", "2024-02-30 00:00:00 +0000", "2023-02-29 00:00:00 +0000",
    "1900-02-29 00:00:00 +0000", "2024-13-01 00:00:00 +0000", "2024-00-01 00:00:00 +0000",
    "2024-06-00 00:00:00 +0000", "2024-06-31 00:00:00 +0000", "2024-06-15 24:00:00 +0000",
    "2024-06-15 23:60:00 +0000", "2024-06-15 23:59:60 +0000", "2024-06-15T23:59:59 +0000",
    "2024-06-15 20:30:00 +2400", "2024-06-15 20:30:00 +0260", "2024-06-15 20:30:00  0200",
    "0000-01-01 00:00:00 +0000", "20240231071916-0700", "2024061507191 -0700",
    "\u{0}\u{0}\u{0}\u{0}-\u{0}\u{0}-\u{0}\u{0} 00:00:00 +0000", "yesterday",
  ])
  func `a date that is not valid is skipped and counted`(date: String) throws {
    let found = try ExportScanner.content(steps(start: date) + steps())
    #expect(found.skipped == [.init(.date, .stepCount)])
    #expect(found.samples == [sample])
  }

  @Test func `R18: of a record that can't be read, what can be read of its times is reported`()
    throws
  {
    func spans(_ start: String, _ end: String, kind: String = "QuantityTypeIdentifierStepCount")
      throws
      -> [Range<Int64>]
    {
      let record = """
        <Record type="HK\(kind)" sourceName="Phone" unit="count" startDate="\(start)" \
        endDate="\(end)" value="7"/>
        """
      let found = try ExportScanner.content(
        "<ExportDate value=\"2024-06-20 10:00:00 +0200\"/>" + record)
      #expect(found.samples.isEmpty && found.skipped.count == 1)
      return found.unread.map { $0.start..<$0.end }
    }
    let (good, bad) = ("2024-06-15 20:30:00 +0200", "2024-06-15 8:30:00 PM +0200")
    let (moment, midnight): (Int64, Int64) = (1_718_476_200, 1_718_402_400)
    let noon = midnight + 43_200..<midnight + 43_201
    #expect(try spans(good, "") == [moment..<moment + 1])
    // What ends at a midnight is of the day before.
    #expect(try spans("?", good) == [moment - 1..<moment])
    #expect(try spans(good, bad) == [moment..<moment + 1, noon])
    #expect(try spans(bad, bad) == [noon, noon])
    let night = midnight..<midnight + 86_400
    #expect(
      try spans(bad, "", kind: "CategoryTypeIdentifierSleepAnalysis") == [night])
    #expect(try spans("15/06/2024 20:30", "2024-06-31 8:30:00 PM +0200") == [])
  }

  @Test func `dates are those of the C library over 9,000 years`() throws {
    var generator = SystemRandomNumberGenerator()
    var records = ""
    var expected: [Int64] = []
    for _ in 0..<3000 {
      let instant = Int64.random(in: -60_000_000_000...250_000_000_000, using: &generator)
      let shift = Int64.random(in: -1439...1439, using: &generator)
      var local = time_t(instant + shift * 60)
      var parts = tm()
      gmtime_r(&local, &parts)
      let (sign, size) = (shift < 0 ? "-" : "+", abs(shift))
      let date = String(
        format: "%04d-%02d-%02d %02d:%02d:%02d \(sign)%02d%02d", parts.tm_year + 1900,
        parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, size / 60,
        size % 60)
      records += steps(start: date)
      expected.append(instant)
    }
    #expect(try ExportScanner.content(records).samples.map(\.start) == expected)
  }

  @Test(arguments: [
    "", " 7", "7 ", "7,5", "0x10", "nan", "inf", "-", ".", "e5", "1e", "1e+", "1.2.3", "1e999",
    "seven",
  ])
  func `a value that is not valid is skipped and counted`(value: String) throws {
    let found = try ExportScanner.content(steps(value: value) + steps())
    #expect(found.skipped == [.init(.value, .stepCount)])
    #expect(found.samples == [sample])
  }

  @Test func `values are the nearest doubles, as strtod reads them`() throws {
    var generator = SystemRandomNumberGenerator()
    var texts = [
      "0", "-0", "+1", "1.", ".5", "9007199254740993", "9007199254740992.5", "0.1", "1e22", "1e23",
      "5e-324", "2.4703282292062327208e-324", "1.7976931348623157e308",
      "123456789012345678901234567",
      "0.30000000000000000000000000000000000001", "8.41E21", "1e-400",
    ]
    for _ in 0..<3000 {
      let digits = (0..<Int.random(in: 1...22, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }
      let point = Int.random(in: 0...digits.count, using: &generator)
      texts.append(
        digits[..<point].joined() + "." + digits[point...].joined()
          + (Bool.random(using: &generator)
            ? "e\(Int.random(in: -300...280, using: &generator))" : ""))
    }
    let found = try ExportScanner.content(texts.map { steps(value: $0) }.joined())
    #expect(found.skipped == [])
    for (text, sample) in zip(texts, found.samples) {
      #expect(sample.value.bitPattern == strtod(text, nil).bitPattern, "\(text)")
    }
  }

  @Test func `a unit that is not known is reported as such, and the record is kept`() throws {
    let found = try ExportScanner.content(
      steps().replacing("\"count\"", with: "\"furlong\"")
        + steps().replacing(" unit=\"count\"", with: "")
        + steps().replacing("\"count\"", with: "\"mL/min·kg\"")
        + steps().replacing("\"count\"", with: "\"" + String(repeating: "k", count: 4000) + "\""))
    #expect(found.samples.map(\.unit) == [.unknown, .none, .oxygenUptake, .unknown])
  }

  @Test(arguments: SampleUnit.allCases.filter { $0 != .none && $0 != .unknown })
  func `every unit is read as an export writes it`(unit: SampleUnit) throws {
    let found = try ExportScanner.content(
      steps().replacing("\"count\"", with: "\"\(unit.rawValue)\""))
    #expect(found.samples.map(\.unit) == [unit])
  }

  @Test(arguments: SampleKind.allCases)
  func `every kind is read by its identifier`(kind: SampleKind) throws {
    let value =
      switch kind {
      case .sleepAnalysis: "HKCategoryValueSleepAnalysisAsleepDeep"
      case .appleStandHour: "HKCategoryValueAppleStandHourIdle"
      case .mindfulSession: "HKCategoryValueNotApplicable"
      default: "1.5"
      }
    let found = try ExportScanner.content(
      steps(value: value).replacing("HKQuantityTypeIdentifierStepCount", with: kind.identifier))
    #expect(found.samples.map(\.kind) == [kind])
    let expected: Double =
      switch kind {
      case .sleepAnalysis: 4
      case .appleStandHour: 1
      case .mindfulSession: 0
      default: 1.5
      }
    #expect(found.samples.map(\.value) == [expected])
  }

  @Test func `R18: a category value that is not known is counted, named, and not left out`() throws
  {
    let found = try ExportScanner.content(
      steps(value: "HKCategoryValueSleepAnalysisDreaming").replacing(
        "HKQuantityTypeIdentifierStepCount", with: "HKCategoryTypeIdentifierSleepAnalysis"))
    #expect(found.skipped == [.init(.unknownCategory, .sleepAnalysis)])
    #expect(found.samples.map(\.value) == [SampleKind.unknownCategory])
    #expect(found.unread.isEmpty)
  }

  @Test func `records of other types are counted and not reported`() throws {
    let document =
      "<HealthData>" + steps() + steps().replacing("StepCount", with: "TypeOfTomorrow")
    let scanner = ExportScanner.scan(Array(document.utf8))
    #expect(scanner.recordCount == 2)
    #expect(scanner.findings.count == 2)
  }
}
