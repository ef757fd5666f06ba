import Foundation
import HealthModel
import HealthSources
import TestSupport
import Testing

/// Whole exports whose days an independent program worked out from the documents
/// (`Tests/Peers/export_wider.py`): all numbers, the table of 28 rows, and the ids.
@Suite(.process) struct WiderPeerTests {
  private struct Worked: Decodable {
    let days: [String: [String: Double]]
    let table: [String: [String: Double]]
    let records: [String: [String: [String]]]
    let unpaired: Int
  }

  private func worked(_ file: String, _ zone: String) async throws -> Worked {
    try JSONDecoder().decode(
      Worked.self,
      from: Data(await PeerPython.run("export_wider.py", arguments: ["days", file, zone])))
  }

  private func read(_ file: String, _ zone: String) throws -> CollectedExport {
    try CollectedExport(reading: URL(filePath: file), zone: zone, samplesInMemory: 500) {
      ($0.metrics, $0.wantsRecords) = (Set(DailyMetric.allCases), true)
    }
  }

  /// Where our days differ from the peer's; keys that the peer does not know are not among its rows.
  private func differences(_ ours: CollectedExport, _ theirs: Worked) -> [String] {
    let known = Set(theirs.days.values.flatMap(\.keys))
    var found: [String] = []
    for date in Set(theirs.days.keys).union(ours.days.map { "\($0.readings.date)" }).sorted() {
      let day = ours[date]?.readings
      let numbers = (day?.readings ?? [:]).compactMapValues(\.number)
      var own: [String: Double] = [:]
      for (metric, number) in numbers where known.contains(metric.rawValue) {
        own[metric.rawValue] = number
        guard metric.hasGivenRecordType else { continue }
        let row = theirs.table[date]?[metric.recordType]
        let converted = metric.unit.convert(number, to: metric.recordUnit)
        if !isClose(converted, row) {
          found.append("\(date) \(metric.recordType): \(converted ?? -1), the peer \(row ?? -1)")
        }
      }
      for key in Set(own.keys).union(theirs.days[date]?.keys ?? [:].keys).sorted()
      where !isClose(own[key], theirs.days[date]?[key], key == "steps" ? 0.5 : 0) {
        found.append("\(date) \(key): \(own[key] ?? -1), the peer \(theirs.days[date]?[key] ?? -1)")
      }
    }
    return found
  }

  /// Whether two numbers are the same to six decimals of our unit, or nine digits, or there is neither.
  private func isClose(_ one: Double?, _ other: Double?, _ slack: Double = 0) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= max(slack, 1.2e-6, 1e-9 * abs(other))
  }

  private func ids(_ export: CollectedExport) -> [String: [String: [String]]] {
    var ids: [String: [String: [String]]] = [:]
    for day in export.days.compactMap(\.records) {
      ids["\(day.date)"] = [
        "workouts": day.workouts.map(\.id).sorted(), "sleep": day.sleep.map(\.id).sorted(),
      ]
    }
    return ids
  }

  private static let seeds = [
    ("4", "Australia/Lord_Howe"), ("3", "America/New_York"), ("1", "Europe/Paris"),
    ("2", "Europe/Paris"), ("5", "Asia/Kathmandu"), ("6", "Europe/London"),
  ]

  @Test(arguments: seeds.prefix(TestDepth.full(6, usual: 1)))
  func `R18, R45: every row, its table and every id are the peer's`(
    seed: String, zone: String
  ) async throws {
    let folder = try ScratchFolder()
    let file = folder.url.appending(path: "export.xml").path
    _ = try await PeerPython.run("export_wider.py", arguments: ["make", seed, zone, file])
    let theirs = try await worked(file, zone)
    let ours = try read(file, zone)
    #expect(differences(ours, theirs).prefix(5) == [])
    #expect(Set(theirs.table.values.flatMap(\.keys)).count == 28)
    #expect(theirs.days.values.flatMap(\.keys).count > 200)
    #expect(ours.tally.leftOut[.unpaired] == theirs.unpaired && theirs.unpaired > 0)
    #expect(ids(ours) == theirs.records)
    #expect(theirs.records.values.flatMap(\.values).flatMap(\.self).count > 100)
  }

  @Test(arguments: [
    ("AlekSi-applehealth-testdata", "Europe/Moscow"),
    ("dogsheep-healthkit-to-sqlite-export", "America/Los_Angeles"),
    ("dogsheep-healthkit-to-sqlite-zip_export", "America/Los_Angeles"),
    ("jdecool-healthkit-parser-exporter", "Europe/Paris"),
    ("paulstaab-health-export-cli-export", "UTC"),
    ("tagbug-apple-health-analyzer-example", "UTC"),
    ("tagbug-apple-health-analyzer-export", "UTC"),
    ("tdda-applehealthdata-export6s3sample", "Europe/London"),
    ("watsonbox-healthkit-parser-export", "Europe/Moscow"),
  ])
  func `R18, R45: the rows and ids of public exports are the peer's`(
    name: String, zone: String
  ) async throws {
    let file = ProjectTree.root.appending(path: "Tests/AppleExportTests/Fixtures/\(name).xml").path
    let theirs = try await worked(file, zone)
    let ours = try read(file, zone)
    #expect(differences(ours, theirs) == [])
    #expect(ids(ours) == theirs.records)
  }

  @Test
  func
    `a day's required metrics are the same to the last digit with and without the optional ones`()
    async throws
  {
    let folder = try ScratchFolder()
    let file = folder.url.appending(path: "export.xml")
    _ = try await PeerPython.run(
      "export_wider.py", arguments: ["make", "7", "Europe/Paris", file.path])
    let wide = try read(file.path, "Europe/Paris")
    let plain = try CollectedExport(reading: file, zone: "Europe/Paris")
    #expect(plain.days.count > 5)
    for day in plain.days {
      let found = wide["\(day.readings.date)"]?.readings.readings.filter(\.key.isRequired)
      #expect(found == day.readings.readings)
    }
  }
}

/// Units against those of pint (`Tests/Peers/unit_factors.py`).
@Suite(.process) struct UnitPeerTests {
  private struct Answer: Decodable {
    struct Pair: Decodable {
      let from: String
      let to: String
      let number: Double
      let result: Double

      init(from decoder: any Decoder) throws {
        var row = try decoder.unkeyedContainer()
        from = try row.decode(String.self)
        to = try row.decode(String.self)
        number = try row.decode(Double.self)
        result = try row.decode(Double.self)
      }
    }

    let units: [String]
    let pairs: [Pair]
  }

  @Test func `R56: every unit converts into those that pint says, both ways, and no other`()
    async throws
  {
    let answer = try JSONDecoder().decode(
      Answer.self, from: Data(await PeerPython.run("unit_factors.py")))
    #expect(
      Set(answer.units)
        == Set(SampleUnit.allCases.map(\.rawValue)).subtracting(["", SampleUnit.unknown.rawValue]))
    var faults: [String] = []
    for pair in answer.pairs {
      let (from, to) = (SampleUnit(rawValue: pair.from), SampleUnit(rawValue: pair.to))
      let own = to.flatMap { from?.convert(pair.number, to: $0) }
      if let own, abs(own - pair.result) <= 1e-9 * max(1, abs(pair.result)) { continue }
      faults.append("\(pair.number) \(pair.from) is \(pair.result) \(pair.to), not \(own as Any)")
    }
    #expect(faults.prefix(5) == [])
    let convertible = Set(answer.pairs.map { "\($0.from) \($0.to)" })
    for from in SampleUnit.allCases {
      for to in SampleUnit.allCases where from.convert(1, to: to) != nil {
        #expect(convertible.contains("\(from.rawValue) \(to.rawValue)"))
      }
    }
  }

  @Test func `R18: HealthKit's spelling of each unit is known, and those of other writers`() {
    for unit in SampleUnit.allCases where unit != .none && unit != .unknown {
      #expect(SampleUnit(spelling: unit.rawValue) == unit)
    }
    let others: [(String, SampleUnit?)] = [
      ("Cal", .largeCalorie), ("cal", .smallCalorie), ("bpm", .countPerMinute),
      ("ml/(kg·min)", .oxygenUptake), ("kcal/(kg·hr)", .physicalEffort),
      ("km/h", .kilometrePerHour),
      ("", nil), ("?", nil), ("furlong", nil), ("CAL", nil),
    ]
    for (spelling, unit) in others { #expect(SampleUnit(spelling: spelling) == unit) }
  }
}
