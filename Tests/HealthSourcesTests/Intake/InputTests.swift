import Foundation
import HealthLedger
import HealthModel
import TestSupport
import Testing

@testable import HealthSources

/// From a path to the days that it holds.
@Suite(.unit) struct InputTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "intake-\(UInt64.random(in: .min ... .max))").path

  /// One record of steps on 2026-02-08.
  static let export = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData>
    <HealthData locale="en_GB">
     <ExportDate value="2026-02-10 08:00:00 +0100"/>
     <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
    creationDate="2026-02-08 10:00:00 +0100" startDate="2026-02-08 10:00:00 +0100" \
    endDate="2026-02-08 10:10:00 +0100" value="100"/>
    </HealthData>
    """
  private let payload =
    #"{"data": {"metrics": [{"name": "step_count", "units": "count", "#
    + #""data": [{"date": "2026-02-08 10:00:00 +0100", "qty": 7}]}]}}"#

  private func file(_ name: String, _ text: String) throws -> String {
    let path = folder + "/" + name
    try FileManager.default.createDirectory(
      atPath: URL(filePath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

  private var request: Input.Request {
    Input.Request(
      in: ZoneSetting(given: "Europe/Berlin", origin: "the test"), at: Timestamp.testNow)
  }

  @Test
  func `the workouts and sleep of payloads are handed on day by day, those of the dates wanted`()
    throws
  {
    defer { removeFolder() }
    func workout(_ id: String, _ date: String) -> String {
      #"{"id": "\#(id)", "name": "Running", "start": "\#(date) 10:00:00 +0100", "#
        + #""end": "\#(date) 11:00:00 +0100"}"#
    }
    func payload(_ workouts: String...) -> String {
      #"{"data": {"workouts": [\#(workouts.joined(separator: ","))]}}"#
    }
    _ = try file("1.json", payload(workout("c", "2026-02-10"), workout("a", "2026-02-08")))
    _ = try file("2.json", payload(workout("b", "2026-02-09"), workout("a", "2026-02-08")))
    var found: [String] = []
    var request = request
    request.records = { day in found.append("\(day.date) \(day.workouts.map(\.id))") }
    let source = try Input(folder)
    let imported = try source.read(request)
    #expect(found == ["2026-02-08 [\"a\"]", "2026-02-09 [\"b\"]", "2026-02-10 [\"c\"]"])
    #expect(imported.notes == [.text("2 of 2 payloads have no metrics")])
    // Workouts alone are worth reading; nothing at all is a mistake.
    #expect(try imported.span(from: nil, to: nil).days.isEmpty)
    found = []
    (request.from, request.to) = (CalendarDate("2026-02-09"), CalendarDate("2026-02-09"))
    _ = try source.read(request)
    #expect(found == ["2026-02-09 [\"b\"]"])
    request.records = nil
    let bare = try source.read(request)
    #expect(bare.notes.contains(.text("4 workouts were not used")))
    #expect(throws: LedgerError.self) { try bare.span(from: nil, to: nil) }
  }

  @Test func `R42: the optional metrics of a payload are those that are wanted`() throws {
    defer { removeFolder() }
    let path = try file(
      "a.json",
      #"{"data": {"metrics": [{"name": "weight_body_mass", "units": "kg", "#
        + #""data": [{"date": "2026-02-08 10:00:00 +0100", "qty": 80}]}, "#
        + #"{"name": "step_count", "units": "count", "#
        + #""data": [{"date": "2026-02-08 10:00:00 +0100", "qty": 9}]}]}}"#)
    var request = request
    let days = try Input(path).read(request).days
    #expect(days.map(\.readings.optional) == [[.weight: 80]])
    request.metrics = Set(DailyMetric.required)
    #expect(
      try Input(path).read(request).days.map(\.readings.optional) == [[:]])
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let read = try DaySelection.all.read(bytes, named: path, self.request)
    #expect(read.days.map(\.readings.optional) == [[.weight: 80]])
    let v0 = try Input([path]).days(.all, request)
    #expect(v0.days.map(\.readings.optional) == [[:]])
  }

  @Test func `an export is recognised by its content, in a file of any name or in a folder`() throws
  {
    defer { removeFolder() }
    let path = try file("apple_health_export/Exportieren.xml", Self.export)
    for source in [path, folder + "/apple_health_export", folder] {
      guard case .export(let found, _) = try Input(source).kind else {
        Issue.record("\(source) was taken for something else")
        continue
      }
      #expect(found == source)
    }
    let named = try file("payload.xml.json", payload)
    guard case .payloads([named], _) = try Input(named).kind else {
      Issue.record("a payload was taken for something else")
      return
    }
  }

  @Test func `a folder is an export by what is in its files, and whatever its folder is named`()
    throws
  {
    defer { removeFolder() }
    let payload = try file("day.json", payload)
    _ = try file("feed.xml", "<?xml version=\"1.0\"?><rss version=\"2.0\"/>")
    guard case .payloads([payload], let others) = try Input(folder).kind else {
      Issue.record("a stray XML file hides the payloads")
      return
    }
    #expect(others == ["feed.xml"])
    _ = try file("apple_health_export 2/导出.xml", Self.export)
    let source = try Input(folder)
    guard case .export(folder, _) = source.kind else {
      Issue.record("the export of a second download was not found")
      return
    }
    #expect(try source.read(request).days.count == 1)
  }

  @Test func `an export becomes days of the zone asked for, and says how far it is`() throws {
    defer { removeFolder() }
    var request = request
    var steps: [IntakeProgress] = []
    request.progress = { steps.append($0) }
    let imported = try Input(try file("export.xml", Self.export)).read(request)
    #expect(imported.kind == .appleExport && imported.name.hasSuffix("export.xml"))
    #expect(imported.days.map(\.date.description) == ["2026-02-08"])
    #expect(imported.days[0].readings[.steps] == .value(100))
    #expect(imported.zone.name == "Europe/Berlin")
    #expect(imported.exportedAt?.description == "2026-02-10T07:00:00Z")
    guard case .counting(let days) = steps.last else {
      Issue.record("no day was counted: \(steps)")
      return
    }
    #expect(days >= 1)
  }

  @Test func `R19: an export that was made before all of its days says so`() throws {
    defer { removeFolder() }
    let early = Self.export.replacing("ExportDate value=\"2026", with: "ExportDate value=\"2025")
    try #require(early != Self.export)
    let imported = try Input(try file("export.xml", early)).read(request)
    let error = try #require(throws: LedgerError.self) {
      _ = try imported.span(from: nil, to: nil)
    }
    #expect(error.message.contains("was made on 2025-02-10, but its days, 2026-02-08 to"))
  }

  @Test func `R19: an export without a day of the dates asked for is not said to be too old`()
    throws
  {
    defer { removeFolder() }
    let path = try file("export.xml", Self.export)
    for (from, to) in [("2026-03-01", "2026-03-08"), ("2025-03-01", "2025-03-08")] {
      // Only the days asked for are read, so none is left out.
      var request = request
      (request.from, request.to) = (CalendarDate(from), CalendarDate(to))
      let imported = try Input(path).read(request)
      let error = try #require(throws: LedgerError.self) {
        _ = try imported.span(from: request.from, to: request.to)
      }
      #expect(error.remedy == .input(.askForOtherDates))
      #expect(
        error.message.hasSuffix(
          "holds 2026-02-08 to 2026-02-08, but nothing to publish for the requested dates"))
    }
  }

  @Test func `R19: dates in the future are not filled, and an import of none else says so`() throws
  {
    defer { removeFolder() }
    // 2026-02-09 begins at UTC+14 at 10:00 of the 8th.
    let now = try #require(Timestamp("2026-02-08T09:00:00Z"))
    let lines = Self.export.split(separator: "\n").map { String($0) }
    let record = try #require(lines.first { $0.contains("<Record") })
    let later = record.replacing("02-08", with: "02-12")
    let both = Self.export.replacing(record, with: record + "\n" + later)
      .replacing("2026-02-10", with: "2026-02-20")
    func span(
      _ text: String, from: String?, to: String?, at now: Timestamp?
    ) throws -> ImportSpan {
      var request = request
      (request.from, request.to) = (
        from.flatMap { CalendarDate($0) }, to.flatMap { CalendarDate($0) }
      )
      let imported = try Input(try file("export.xml", text)).read(request)
      return try imported.span(
        from: request.from, to: request.to, before: now, canAllowFuture: true)
    }
    let range = try span(both, from: "2026-02-08", to: "2026-02-28", at: now)
    #expect(range.days.map(\.date.description) == ["2026-02-08"])
    #expect(range.leftOut.map(\.reason) == [.future])
    let allowed = try span(both, from: "2026-02-08", to: "2026-02-28", at: nil)
    #expect(allowed.days.count == 5 && allowed.emptyDays == 3)

    let alone = both.replacing(record + "\n", with: "")
    for (text, from, to, says) in [
      (both, "2026-02-10", "2026-02-12", "dates from 2026-02-10 to 2026-02-12, which are in"),
      (both, "2026-02-12", "2026-02-12", "2026-02-12, which is in"),
      (alone, nil, nil, "2026-02-12"),
      (alone, "2026-02-01", "2026-02-28", "2026-02-12, which is in"),
    ] as [(String, String?, String?, String)] {
      let error = try #require(throws: LedgerError.self) {
        _ = try span(text, from: from, to: to, at: now)
      }
      #expect(error.remedy == .input(.allowFuture) && error.code == .dataNotFound)
      #expect(error.message.contains(says), "\(error.message)")
    }
  }

  @Test func `R49: the broken files of a folder are passed over where that is asked for`() throws {
    defer { removeFolder() }
    _ = try file("1.json", payload)
    // Cut off in a large file, which is read a part at a time: what it has said is taken back.
    let rows = Array(
      repeating: #"{"date": "2026-02-07 10:00:00 +0100", "qty": 7}"#, count: 25_000)
    let large = String(payload.dropLast(5)).replacing(
      #""data": ["#, with: #""data": [\#(rows.joined(separator: ",")),"#)
    let broken = [try file("2.json", ""), try file("3.json", large)]
    _ = try file("4.json", #"{"steps": 1}"#)
    #expect(throws: LedgerError.self) { try Input(folder).read(request) }
    var lenient = request
    lenient.passesOverBroken = true
    let source = try Input(folder).read(lenient)
    #expect(source.days.map(\.date.description) == ["2026-02-08"] && source.units == 1)
    #expect(source.broken.map(\.file) == broken)
    #expect(source.notes.count { "\($0)".contains("4.json") } == 1)
    let selected = try Input(folder).days(.whole, lenient)
    #expect(selected.broken == source.broken)
    // Of a file that may be cut off in the middle of a synchronisation, only time can tell.
    let now = try #require(source.broken[0].writtenAt)
    #expect(source.broken[0].mayBeArriving(at: now.adding(seconds: 3599)))
    #expect(!source.broken[0].mayBeArriving(at: now.adding(seconds: 3600)))
    // Where nothing can be read, that is an error.
    for name in ["1.json", "4.json"] {
      try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
    let error = try #require(throws: LedgerError.self) { try Input(folder).read(lenient) }
    #expect(error.message.contains("2.json"), "\(error.message)")
  }

  @Test func `payloads of a folder are one source, and what lies beside them is reported`() throws {
    defer { removeFolder() }
    _ = try file("day 10.json", payload.replacing("02-08", with: "02-09"))
    _ = try file("day 9.json", payload)
    _ = try file("notes.txt", "hello")
    let imported = try Input(folder).read(request)
    #expect(imported.kind == .healthAutoExport && imported.units == 2)
    #expect(imported.days.map(\.date.description) == ["2026-02-08", "2026-02-09"])
    #expect(imported.notes == [.text("files that can't be payloads were left out: notes.txt")])
  }

  @Test(arguments: ["evicted", "link"])
  func `a payload that is not at hand is a broken file, and not one that there is not`(
    kind: String
  ) throws {
    defer { removeFolder() }
    _ = try file("1.json", payload)
    let absent = folder + "/2.json"
    if kind == "evicted" {
      _ = try file(".2.json.icloud", "bplist00")
    } else {
      try FileManager.default.createSymbolicLink(
        atPath: absent, withDestinationPath: folder + "/unmounted/2.json")
    }
    let refused = try #require(throws: LedgerError.self) { try Input(folder).read(request) }
    #expect(refused.message.contains("2.json"), "\(refused)")
    if kind == "evicted" { #expect(refused.message == "\(absent) is not downloaded yet") }
    var lenient = request
    lenient.passesOverBroken = true
    let source = try Input(folder).read(lenient)
    #expect(source.units == 1 && source.broken.map(\.file) == [absent])
    #expect(!source.broken[0].mayBeArriving(at: Timestamp(secondsSince1970: 0)))
    // Downloaded, it is a file as any other; a placeholder that stays behind says nothing.
    try? FileManager.default.removeItem(atPath: absent)
    _ = try file("2.json", payload.replacing("02-08", with: "02-09"))
    #expect(try Input(folder).read(request).units == 2)
  }

  @Test func `an export that a cloud drive has evicted is not downloaded yet`() throws {
    defer { removeFolder() }
    _ = try file(".export.zip.icloud", "bplist00")
    let error = try #require(throws: LedgerError.self) { try Input(folder + "/export.zip") }
    #expect(error.message.hasSuffix("export.zip is not downloaded yet"))
  }

  @Test
  func `a pipe among the payloads is left out, and waited for by nobody`() throws {
    defer { removeFolder() }
    _ = try file("1.json", payload)
    try #require(mkfifo(folder + "/2.json", 0o600) == 0)
    let source = try Input(folder).read(request)
    #expect(source.units == 1)
    #expect(source.notes == [.text("files that can't be payloads were left out: 2.json")])
  }

  @Test func `files of a folder follow the numbers in their names, whatever the case`() {
    let sorted = [
      "2.json", "010.json", "10.json", "a 09 b.json", "A 9.json", "a 9.json", "a 10.json",
      "b 1.json", "b 99999999999999999999998.json", "b 99999999999999999999999.json", "B.json",
      "ä.json",
    ]
    for _ in 0..<20 { #expect(sorted.shuffled().sorted(by: PayloadFolder.isBefore) == sorted) }
  }

  @Test func `what each front end words itself comes as a case, and names no flag`() throws {
    defer { removeFolder() }
    let payloadPath = try file("payload.json", payload)
    func failure(_ work: () throws -> Void) throws -> LedgerError {
      try #require(throws: LedgerError.self) { try work() }
    }
    let priority = try failure {
      var request = request
      request.priority = ["Watch"]
      _ = try Input(payloadPath).read(request)
    }
    #expect(priority.remedy == .input(.leaveOutSourcePriority))
    let absent = try failure { _ = try InputFile.read(folder + "/gone", maximumBytes: 1) }
    #expect(absent.remedy == .input(.checkInputPath))
    let exportPath = try file("export.xml", Self.export)
    let others = try failure {
      let imported = try Input(exportPath).read(request)
      _ = try imported.span(from: CalendarDate("2026-02-01"), to: CalendarDate("2026-02-02"))
    }
    #expect(others.remedy == .input(.askForOtherDates) && others.code == .dataNotFound)
    for error in [priority, absent, others] {
      #expect(!error.message.contains("--") && error.remedy?.description.contains("--") == false)
    }
  }

  @Test func `a configured source that is gone is reported with who named it`() throws {
    let error = try #require(throws: LedgerError.self) {
      try Input(configured: folder + "/gone", by: "/etc/health/config").days(.all, request)
    }
    #expect(error.remedy?.description.contains("/etc/health/config names the source") == true)
    #expect(error.message == "the source \(folder)/gone does not exist")
  }

  @Test func `a pipe is read for what comes through it now, and nothing of it is kept`() throws {
    defer { removeFolder() }
    _ = try file("beside", "")
    let pipe = folder + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    for text in ["one", "two"] {
      Thread.detachNewThread {
        let descriptor = open(pipe, O_WRONLY)
        _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
      }
      #expect(try InputFile.read(pipe, maximumBytes: 9) == Array(text.utf8))
    }
  }

  @Test func `an input beyond its bound is refused, and lines are cut at theirs`() throws {
    defer { removeFolder() }
    let path = try file("lines", "one\ntwenty-two\n\nlast")
    let error = try #require(throws: LedgerError.self) {
      try InputFile.read(path, maximumBytes: 4)
    }
    #expect(error.message.contains("is larger than"))
    var lines: [String] = []
    try InputFile.forEachLine(of: path, maximumBytes: 5) {
      lines.append(String(decoding: $0, as: UTF8.self))
    }
    #expect(lines == ["one", "twenty", "", "last"])
  }
}

extension Timestamp {
  /// A Tuesday.
  static let testNow = Timestamp(secondsSince1970: 1_770_714_000)
}
