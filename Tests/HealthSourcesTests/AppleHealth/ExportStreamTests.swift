import AppleExport
import HealthModel
import HealthSources
import StoreTesting
import Testing

/// What holds of whole streams of samples, whatever is in them.
@Suite(.unit) struct ExportStreamTests {
  /// Random samples of some weeks, of three sources, many of them overlapping, some twice.
  private func randomExport(_ random: inout some RandomNumberGenerator, count: Int) -> SampleExport
  {
    var export = SampleExport()
    let sources = [
      SampleExport.watch, SampleExport.phone, ExportSource(name: "Pedometer"),
      ExportSource(name: SampleExport.watch.name, hardware: "Watch4,2"),
    ].map { export.number(of: $0) }
    let begin = SampleExport.moment("2024-03-20 00:00+01:00")
    for _ in 0..<count {
      let kind = SampleKind.allCases.randomElement(using: &random) ?? .stepCount
      let start = begin + Int64.random(in: 0..<20 * 86_400, using: &random)
      let length = [0, 1, 60, 599, 3600, 40_000, 300_000].randomElement(using: &random) ?? 0
      let isCategory = kind.isCategory
      let units = [kind.unit, kind.unit, .count, .kilojoule, .minute, .gram]
      export.samples.append(
        ExportSample(
          kind: kind, unit: isCategory ? .none : units.randomElement(using: &random) ?? .count,
          isUserEntered: Int.random(in: 0..<20, using: &random) == 0,
          source: sources.randomElement(using: &random) ?? 0, start: start,
          end: start + Int64(length),
          value: isCategory
            ? Double(Int.random(in: 0...(kind == .appleStandHour ? 1 : 5), using: &random))
            : Double.random(in: 0..<100, using: &random)))
    }
    export.samples += export.samples.prefix(count / 10)
    return export
  }

  @Test func `the order of the file and the memory allowed change nothing`() throws {
    var random = SplitMix64(seed: 7)
    let change = { (options: inout ExportOptions) in
      (options.metrics, options.wantsRecords) = (Set(DailyMetric.allCases), true)
    }
    for _ in 0..<5 {
      var export = randomExport(&random, count: 4000)
      let first = try export.days("Europe/Paris", change)
      #expect(first.days.count > 20)
      for memory in [7, 100, 4399, 4400, 500_000] {
        export.samples.shuffle(using: &random)
        let other = try export.days("Europe/Paris", samplesInMemory: memory, change)
        #expect(other.days == first.days)
        #expect(other.tally == first.tally)
      }
      // Sources told in another order, as those of an export with its types in another order.
      let reversed = try export.reversingSources().days("Europe/Paris", change)
      #expect(reversed.days == first.days)
    }
  }

  @Test func `a range of days gives the very days of the whole`() throws {
    var random = SplitMix64(seed: 8)
    let export = randomExport(&random, count: 3000)
    for zone in ["Europe/Paris", "Pacific/Kiritimati", "Pacific/Pago_Pago"] {
      let whole = try export.days(zone)
      for (first, last) in [("2024-03-25", "2024-04-02"), ("2024-03-31", "2024-03-31")] {
        let part = try export.days(zone) {
          ($0.firstDate, $0.lastDate) = (CalendarDate(first), CalendarDate(last))
        }
        #expect(
          part.days
            == whole.days.filter { (first...last).contains("\($0.readings.date)") })
      }
    }
  }

  @Test func `days come in their order, each once, and a gap of years costs nothing`() throws {
    var export = SampleExport()
    export.add(.stepCount, "2199-06-10 08:00+02:00", "2199-06-10 08:10+02:00", 2, .count)
    export.add(.stepCount, "1950-06-10 08:00+02:00", "1950-06-10 08:10+02:00", 1, .count)
    #expect(
      try export.days().days.map { "\($0.readings.date)" } == ["1950-06-10", "2199-06-10"])
  }

  @Test func `a day of more samples than any watch writes is unsupported, not counted in part`()
    throws
  {
    var export = SampleExport()
    export.add(.appleStandHour, "2024-06-10 00:00+02:00", "2024-06-10 01:00+02:00", 0)
    let start = SampleExport.moment("2024-06-10 00:00+02:00")
    for index in 0..<400_001 {
      export.samples.append(
        ExportSample(
          kind: .stepCount, unit: .count, source: 0, start: start + Int64(index / 10),
          end: start + Int64(index / 10 + 1), value: Double(index % 10)))
    }
    export.add(.stepCount, "2024-06-11 08:00+02:00", "2024-06-11 08:10+02:00", 5, .count)
    let result = try export.days()
    #expect(
      result.table == [
        "2024-06-10": ["steps": "unsupported", "stand_hours": "1.0"],
        "2024-06-11": ["steps": "5.0"],
      ])
    #expect(
      result.days.first?.readings.notes == ["steps: more than 400000 samples in one day"])
  }

  @Test func `an export without samples has no days`() throws {
    #expect(try SampleExport().days().days.isEmpty)
  }

  @Test func `the zone is the one asked for, else the one named most, else this machine's`() throws
  {
    var export = SampleExport()
    #expect(try export.days(nil) { $0.systemTimeZoneName = "Asia/Tokyo" }.zone.name == "Asia/Tokyo")
    #expect(try export.days(nil).zone == ZoneChoice(name: "UTC", reason: .none))
    export.zones = ["Europe/Paris", "America/New_York", "Nowhere/Land", "Europe/Paris", "../etc"]
    export.zones += Array(repeating: "Not/Azone", count: 5)
    let zone = try export.days(nil) { $0.systemTimeZoneName = "Asia/Tokyo" }.zone
    #expect(zone.name == "Europe/Paris")
    #expect(zone.reason == .mostFrequent(records: 2, of: 3))
    #expect(try export.days("Asia/Tokyo").zone.reason == .asked)
    #expect(throws: SourceError.self) { try export.days("GMT+5") }
  }
}
