import Foundation
import HealthModel
import TestSupport
import Testing

/// Whole exports whose days an independent program worked out from the documents
/// (`Tests/Peers/export_days.py`): all numbers, the table of 28 rows, and the ids.
@Suite(.process) struct ExportPeerTests {
  private struct Worked: Decodable {
    let table: [String: [String: Double]]
    let records: [String: [String: [String]]]
    let unpaired: Int
  }

  private func worked(
    _ exports: [(file: URL, zones: String)]
  ) async throws -> [(PeerDays, Worked)] {
    let arguments = exports.flatMap { [$0.file.path, $0.zones] }
    let output = try await PeerPython.run("export_days.py", arguments: ["days"] + arguments)
    return try output.split(separator: UInt8(ascii: "\n")).map { line in
      (
        try JSONDecoder().decode(PeerDays.self, from: Data(line)),
        try JSONDecoder().decode(Worked.self, from: Data(line))
      )
    }
  }

  private func read(_ file: URL, _ zones: String) throws -> CollectedExport {
    try CollectedExport(reading: file, zone: zones, samplesInMemory: 500) {
      ($0.metrics, $0.wantsRecords) = (Set(DailyMetric.allCases), true)
    }
  }

  /// Where our days and their table differ from the peer's, of the metrics that it knows.
  private func differences(_ ours: CollectedExport, _ days: PeerDays, _ theirs: Worked) -> [String]
  {
    let known = Set(days.days.values.flatMap(\.keys)).union(days.unsupported.values.flatMap(\.self))
    var found = days.differences(from: ours.days.map(\.readings), among: known)
    for day in ours.days.map(\.readings) {
      for (metric, reading) in day.readings where known.contains(metric.rawValue) {
        guard let number = reading.number, metric.hasGivenRecordType else { continue }
        let row = theirs.table["\(day.date)"]?[metric.recordType]
        let converted = metric.unit.convert(number, to: metric.recordUnit)
        if !PeerDays.isClose(converted, row) {
          found.append("\(day.date) \(metric.recordType): \(converted ?? -1), not \(row ?? -1)")
        }
      }
    }
    return found
  }

  private func ids(_ export: CollectedExport) -> [String: [String: [String]]] {
    Dictionary(
      uniqueKeysWithValues: export.days.compactMap(\.records).map { day in
        let ids = [
          "workouts": day.workouts.map(\.id).sorted(), "sleep": day.sleep.map(\.id).sorted(),
        ]
        return ("\(day.date)", ids)
      })
  }

  /// Zones, and a date near which their clocks change, are odd, or somebody travels.
  private static let made = [
    ("Asia/Tokyo, Pacific/Pago_Pago@2024-06-11, Pacific/Kiritimati@2024-06-13", "2024-06-12"),
    ("Australia/Lord_Howe", "2024-04-07"),
    ("Europe/Paris, America/New_York@2024-06-11, Asia/Kathmandu@2024-06-14", "2024-06-12"),
    ("Pacific/Kiritimati, Europe/Paris@2024-06-10, Pacific/Pago_Pago@2024-06-13", "2024-06-12"),
    ("Europe/Paris", "2024-03-31"), ("Europe/Paris", "2024-10-27"),
    ("America/New_York", "2024-03-10"), ("America/New_York", "2024-11-03"),
    ("Australia/Lord_Howe", "2024-10-06"), ("America/Santiago", "2024-09-08"),
    ("Africa/Cairo", "2024-04-26"), ("Asia/Kolkata", "2024-06-10"),
    ("Asia/Kathmandu", "2024-06-10"), ("Pacific/Kiritimati", "2024-01-01"),
    ("Pacific/Pago_Pago", "2024-02-29"),
  ]

  @Test(arguments: made.prefix(TestDepth.full(made.count, usual: 2)))
  func `R18, R45: every row, its table and every id are the peer's`(
    zones: String, date: String
  ) async throws {
    let folder = try ScratchFolder()
    let file = folder.url.appending(path: "export.xml")
    _ = try await PeerPython.run(
      "export_days.py", arguments: ["make", "1", zones, date, file.path])
    let (days, theirs) = try await worked([(file, zones)])[0]
    let ours = try read(file, zones)
    #expect(differences(ours, days, theirs).prefix(5) == [])
    #expect(Set(theirs.table.values.flatMap(\.keys)).count == 28)
    #expect(days.days.values.flatMap(\.keys).count > 200 && !days.unsupported.isEmpty)
    #expect(ours.tally.leftOut[.unpaired] == theirs.unpaired && theirs.unpaired > 0)
    #expect(ids(ours) == theirs.records)
    #expect(theirs.records.values.flatMap(\.values).flatMap(\.self).count > 100)
    // The optional metrics change no digit of the required ones.
    for day in try CollectedExport(reading: file, zone: zones).days {
      let found = ours["\(day.readings.date)"]?.readings.readings.filter(\.key.isRequired)
      #expect(found == day.readings.readings)
    }
  }

  private static let publicExports = [
    ("AlekSi-applehealth-testdata", "Europe/Moscow"),
    ("dogsheep-healthkit-to-sqlite-export", "America/Los_Angeles"),
    ("dogsheep-healthkit-to-sqlite-zip_export", "America/Los_Angeles"),
    ("jdecool-healthkit-parser-exporter", "Europe/Paris"),
    ("paulstaab-health-export-cli-export", "UTC"),
    ("tagbug-apple-health-analyzer-example", "UTC"),
    ("tagbug-apple-health-analyzer-export", "UTC"),
    ("tdda-applehealthdata-export6s3sample", "Europe/London"),
    ("watsonbox-healthkit-parser-export", "Europe/Moscow"),
  ]

  @Test func `R18, R45: the rows and ids of public exports are the peer's`() async throws {
    let exports = Self.publicExports.map { name, zone in
      (ProjectTree.root.appending(path: "Tests/AppleExportTests/Fixtures/\(name).xml"), zone)
    }
    let peers = try await worked(exports)
    try #require(peers.count == exports.count)
    for ((file, zone), (days, theirs)) in zip(exports, peers) {
      let ours = try read(file, zone)
      #expect(differences(ours, days, theirs) == [], "\(file)")
      #expect(ids(ours) == theirs.records, "\(file)")
    }
  }

  @Test(
    arguments: TestDepth.one(
      of: 4,
      [
        ("America/New_York", ["--offset", "-0700", "--energy-unit", "kJ"]), ("Europe/Paris", []),
        ("Asia/Kathmandu", ["--offset", "+0545", "--energy-unit", "Cal"]),
        ("Asia/Kolkata", ["--offset", "+0530", "--dtd", "none"]),
        ("Australia/Lord_Howe", ["--offset", "+1100", "--dtd", "v12", "--end", "2023-10-15"]),
        ("Europe/Paris", ["--end", "2024-04-10", "--dtd", "v13extra"]),
        ("America/New_York", ["--end", "2023-11-20", "--energy-unit", "kJ"]),
        ("Europe/Paris", ["--end", "2023-11-10", "--offset", "+0545"]),
      ]))
  func `R18: the days of an export as the app writes it are the peer's, in its own zone`(
    zone: String, options: [String]
  ) async throws {
    let folder = try ScratchFolder()
    let file = folder.url.appending(path: "export.xml")
    _ = try await PeerPython.run(
      "gen_export.py", arguments: [file.path, "--days", "60", "--mb", "4", "--tz", zone] + options)
    let (days, _) = try await worked([(file, zone)])[0]
    let ours = try CollectedExport(reading: file, samplesInMemory: 1000)
    #expect(ours.zone.name == zone)
    let required = Set(DailyMetric.required.map(\.rawValue))
    #expect(days.differences(from: ours.days.map(\.readings), among: required) == [])
    #expect(ours.days.count >= 60)
    // Of a day of 23 hours the app's summaries say more than the records.
    #expect(ours.crossCheck.days.beyond <= 2 && ours.crossCheck.days.compared > 50)
  }
}
