import Foundation
import HealthModel
import Subprocess
import TestSupport
import Testing

/// A year of days in a real Prometheus, the dashboard's queries and the alert rules (R57).
@Suite(.process, .prometheus) struct PrometheusBoardTests {
  /// Runs promtool; its exit code, and what it says.
  private func promtool(_ arguments: String..., input: String = "") async throws -> (Bool, String) {
    let result = try await Subprocess.run(
      .name("promtool"), arguments: .init(arguments), input: .string(input),
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    return (result.terminationStatus.isSuccess, result.standardOutput + result.standardError)
  }

  /// The metrics that the board shows, with a number for each day.
  private static let metrics: [DailyMetric] = [
    .steps, .activeEnergy, .exerciseMinutes, .standHours, .distance, .sleepAsleep, .sleepInBed,
    .sleepCore, .sleepDeep, .sleepREM, .sleepAwake, .restingHeartRate, .heartRateVariability,
    .heartRateMinimum, .heartRateMaximum, .heartRateMean, .weight, .bodyFat, .bodyMassIndex,
    .bloodPressureSystolic, .bloodPressureDiastolic, .vo2Max, .oxygenSaturation, .respiratoryRate,
    .bloodGlucose,
  ]

  private func number(_ metric: DailyMetric, _ day: Int) -> Double {
    let place = Self.metrics.firstIndex(of: metric) ?? 0
    return Double(100 + place * 10 + day % 97) + (metric == .steps ? 0 : 0.25)
  }

  /// A zone with winter time in which no day begins just before the test or while it runs: then
  /// what was a minute ago is today's, and today stays the same.
  private static func zone(at now: Timestamp) throws -> String {
    let dates = try [-300, 3600].map {
      try ReportingDay.date(at: now.adding(seconds: $0), timeZoneName: "Europe/Berlin")
    }
    return dates[0] == dates[1] ? "Europe/Berlin" : "America/New_York"
  }

  /// Today and the days before it in a zone, as a payload.
  private func payload(days: Int, today: CalendarDate, zone: String) throws -> [UInt8] {
    let list = try (0..<days).map { back in
      let date = try #require(today.adding(days: -back))
      let numbers = Self.metrics.map { "\"\($0.rawValue)\":\(number($0, back))" }
      return "{\"date\":\"\(date)\",\"metrics\":{\(numbers.joined(separator: ","))}}"
    }
    return Array("{\"timezone\":\"\(zone)\",\"days\":[\(list.joined(separator: ","))]}".utf8)
  }

  /// Today's samples of two devices: a heart rate a minute ago, and overlapping steps.
  private func export(_ program: Program, steps: Double, now: Timestamp) throws -> String {
    func moment(_ seconds: Int) -> String {
      let text = "\(now.adding(seconds: seconds))"
      return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) +0000"
    }
    func record(_ type: String, _ device: String, _ unit: String, _ value: String, _ ago: Int)
      -> String
    {
      let hardware = device == "Watch" ? "Watch6,2" : "iPhone14,5"
      return """
         <Record type="HKQuantityTypeIdentifier\(type)" sourceName="Ann's \(device)" \
        sourceVersion="1" device="&lt;&lt;HKDevice: 0x1&gt;, name:x, hardware:\(hardware), \
        software:1&gt;" unit="\(unit)" creationDate="\(moment(-ago))" \
        startDate="\(moment(-ago - 10))" endDate="\(moment(-ago))" value="\(value)"/>

        """
    }
    let text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"en_DE\">\n"
      + " <ExportDate value=\"\(moment(0))\"/>\n"
      + record("StepCount", "Watch", "count", "\(Int(steps) - 40)", 20)
      + record("StepCount", "iPhone", "count", "40", 40)
      + record("HeartRate", "Watch", "count/min", "72", 20)
      + record("BodyMass", "Watch", "kg", "70.2", 40) + record("BodyMass", "Watch", "kg", "69", 20)
      + " <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"0.5\" "
      + "durationUnit=\"min\" totalEnergyBurned=\"7\" totalEnergyBurnedUnit=\"kcal\" "
      + "sourceName=\"Ann's Watch\" startDate=\"\(moment(-40))\" endDate=\"\(moment(-10))\"/>\n"
      + "</HealthData>\n"
    return try program.file("export.xml", text)
  }

  @Test func `R57: Prometheus holds years of days and answers the board's queries`() async throws {
    var program = try Program()
    let now = Timestamp(secondsSince1970: Int(Date().timeIntervalSince1970))
    let zone = try Self.zone(at: now)
    program.environment["S3HEALTH_TIMEZONE"] = zone
    let today = try ReportingDay.date(at: now, timeZoneName: zone)
    let midnight = try ReportingDay(date: today, timeZoneName: zone).start.timestamp
      .secondsSince1970
    let days = 400
    try await program.succeeds(
      ["put", "--date", "all", "--input", "-"], input: payload(days: days, today: today, zone: zone)
    )
    let file = program.home.appending(path: "days.om").path
    try await program.succeeds([
      "export", "openmetrics", "--to", "yesterday", "--instance", "me", "--out", file,
    ])
    // A strict parser takes the whole text.
    let text = try Data(contentsOf: URL(filePath: file))
    let output = try await PeerPython.run(
      "exposition.py", arguments: ["openmetrics"], input: Array(text))
    let families = try #require(
      try JSONSerialization.jsonObject(with: Data(output)) as? [[String: Any]])
    #expect(families.count == Self.metrics.count)
    #expect(families.allSatisfy { ($0["samples"] as? [Any])?.count == days - 1 })
    #expect(families.first?["name"] as? String == "healthkit_steps")
    #expect(families.first?["type"] as? String == "counter")

    // The documented command makes few blocks of years, and not one a day.
    let blocks = program.home.appending(path: "blocks").path
    let (isMade, said) = try await promtool(
      "tsdb", "create-blocks-from", "--max-block-duration=8760h", "openmetrics", file, blocks)
    #expect(isMade, "\(said)")
    let made = try FileManager.default.contentsOfDirectory(atPath: blocks).count
    #expect(made > 1)
    #expect(made < 9)

    let servers = try PrometheusServers(history: file)
    defer { servers.end() }
    // The samples of today, without which no label knows a source.
    program.environment["S3HEALTH_SOURCE"] = try export(program, steps: number(.steps, 0), now: now)
    let push = ["push", "--gateway", servers.gateway, "--instance", "me"]
    try await program.succeeds(push)
    _ = try await servers.query("healthkit_steps_total{instance=\"me\"}") { !$0.isEmpty }

    // Old days have the right numbers, those on which clocks were set included.
    let daily = "max_over_time(healthkit_steps_total{source=\"all\"}[23h55m] offset -1d)"
    let weights = "last_over_time(healthkit_body_weight_kg{data_age=\"\"}[23h55m] offset -1d)"
    for back in stride(from: 1, to: days - 1, by: 29) {
      let time = midnight - back * 86_400
      #expect(try await servers.query(daily, at: time).map(\.value) == [number(.steps, back)])
      #expect(
        try await servers.query(weights, at: time).map(\.value) == [number(.weight, back)],
        "\(back)")
    }

    // Beside today's total stands what each source has by itself.
    let totals = try await servers.query("healthkit_steps_total")
    var found: [String: Double] = [:]
    for total in totals { found[total.labels["source"] ?? ""] = total.value }
    let all = number(.steps, 0)
    let own: [String: Double] = ["all": all, "Apple Watch": all - 40, "iPhone": 40]
    #expect(found == own)
    // The newest weight came before the day was generated, and the ledger's number is of others.
    let weight = try await servers.query("healthkit_body_weight_kg").map(\.value)
    #expect(weight == [number(.weight, 0)])

    let board = try await PeerPython.run("grafana_board.py", arguments: ["instance=me"])
    let checked = try #require(
      try JSONSerialization.jsonObject(with: Data(board)) as? [String: Any])
    #expect(checked["faults"] as? [String] == [])
    let queries = try #require(checked["queries"] as? [[String: Any]])
    #expect(queries.count > 30)
    for query in queries {
      let expr = try #require(query["expr"] as? String)
      // What is drawn over days is asked for an old day as well.
      // Workouts come with pushes alone: the table of days has none.
      let old = expr.contains("workout") ? [] : [midnight - 10 * 86_400]
      let times = expr.contains("offset -1d") ? [midnight] + old : [nil as Int?]
      for time in times {
        let series = try await servers.query(expr, at: time)
        #expect(!series.isEmpty, "\(query["panel"] ?? ""): \(expr) at \(time ?? 0)")
        #expect(series.allSatisfy { $0.value.isFinite })
      }
    }

    // The examples of the documents are queries that work.
    for document in ["PROMETHEUS", "METRICS"] {
      let text = try String(
        contentsOf: ProjectTree.root.appending(path: "docs/\(document).md"), encoding: .utf8)
      let examples = text.components(separatedBy: "```promql\n").dropFirst().flatMap {
        $0.components(separatedBy: "\n```")[0].split(separator: "\n").filter { !$0.hasPrefix("#") }
      }
      #expect(!examples.isEmpty)
      for example in examples {
        let time = example.contains("offset -1d") ? midnight - 86_400 : nil
        #expect(
          try await !servers.query(String(example), at: time).isEmpty, "\(document): \(example)")
      }
    }

    let rules = try await servers.rules()
    #expect(rules.count == 5)
    #expect(rules.values.allSatisfy { $0.health == "ok" || $0.health == "unknown" })
    #expect(rules.values.allSatisfy { $0.state == "inactive" }, "\(rules)")
  }

  @Test func `R57: the alert rules are sound, and each fires when it should`() async throws {
    let rules = ProjectTree.root.appending(path: "grafana/alerts.yaml").path
    let (isSound, said) = try await promtool("check", "rules", rules)
    #expect(isSound, "\(said)")
    let program = try Program()
    let labels = "{job=\"my_health_data\",instance=\"me\"}"
    func alert(_ name: String, _ severity: String, _ summary: String, _ description: String)
      -> String
    {
      """
            - alertname: \(name)
              eval_time: 48h
              exp_alerts:
                - exp_labels: {severity: \(severity)\(name == "HealthPushAbsent" ? ", job: my_health_data" : ", instance: me")}
                  exp_annotations:
                    summary: "\(summary)"
                    description: "\(description)"

      """
    }
    let test = """
      rule_files: ["\(rules)"]
      evaluation_interval: 1m
      tests:
        - interval: 1m
          input_series:
            - series: 'push_time_seconds\(labels)'
              values: '60x2880'
            - series: 'push_failure_time_seconds\(labels)'
              values: '120x2880'
            - series: 'healthkit_day_start_timestamp_seconds\(labels)'
              values: '0x2880'
            - series: 'healthkit_revision_generated_timestamp_seconds\(labels)'
              values: '0x2880'
          alert_rule_test:
      \(alert(
        "HealthPushTooOld", "warning", "me: the last push was 1d 23h 59m 0s ago",
        "`s3health status` on that machine shows why the pushes fail, or that none runs."))\
      \(alert(
        "HealthPushFailing", "warning", "me: the gateway refuses the pushes",
        "Another job may push a metric of the same name with another type."))\
      \(alert(
        "HealthDayMissing", "warning", "me: there is no data of today",
        "The newest day with data began 2d 0h 0m 0s ago. `s3health verify 7d` lists the days that are missing."))\
      \(alert(
        "HealthRevisionTooOld", "info", "me: the newest revision is 2d 0h 0m 0s old",
        "The collector has published nothing new. `s3health status --log` shows its last runs."))\
        - interval: 1m
          input_series: []
          alert_rule_test:
      \(alert(
        "HealthPushAbsent", "warning", "the gateway has no push of health data",
        "It may have been restarted without --persistence.file, or is not scraped."))\
        - interval: 1m
          input_series:
            - series: 'push_time_seconds\(labels)'
              values: '0+60x2880'
            - series: 'push_failure_time_seconds\(labels)'
              values: '0x2880'
            - series: 'healthkit_day_start_timestamp_seconds\(labels)'
              values: '0+60x2880'
            - series: 'healthkit_revision_generated_timestamp_seconds\(labels)'
              values: '0+60x2880'
          alert_rule_test:
            - {alertname: HealthPushTooOld, eval_time: 48h, exp_alerts: []}
            - {alertname: HealthPushFailing, eval_time: 48h, exp_alerts: []}
            - {alertname: HealthPushAbsent, eval_time: 48h, exp_alerts: []}
            - {alertname: HealthDayMissing, eval_time: 48h, exp_alerts: []}
            - {alertname: HealthRevisionTooOld, eval_time: 48h, exp_alerts: []}
      """
    let file = try program.file("rules-test.yaml", test)
    let (isGood, answer) = try await promtool("test", "rules", file)
    #expect(isGood, "\(answer)")
  }

  @Test func `R57: promtool remarks on the given names what is known, and no more`() async throws {
    let gateway = try BadGateway()
    let program = try Program()
    try await program.succeeds(
      ["put", "--date", "today", "--input", "-"],
      input: #"{"metrics":{"steps":1,"active_energy_kcal":2.5,"weight":70.25}}"#)
    try await program.succeeds(["push", "--gateway", gateway.url("ok")])
    let body = try #require(try await gateway.requests().first?.body)
    let (_, said) = try await promtool("check", "metrics", input: body)
    #expect(
      said.split(separator: "\n").sorted() == [
        #"healthkit_active_energy_burned_calories counter metrics should have "_total" suffix"#,
        #"healthkit_active_energy_burned_calories use base unit "joules" instead of "calories""#,
      ])
  }

  @Test func `R57: an export of no days is an error, and dates choose days`() async throws {
    let program = try Program()
    let empty = try await program.run("export", "openmetrics", "3d")
    #expect(empty.exitCode == 66 && empty.output == "", "\(empty.errors)")
    #expect(empty.errors.contains("holds no days"))
    try await program.succeeds(
      ["put", "--date", "2026-02-08", "--input", "-"],
      input: #"{"metrics":{"steps":8432,"hrv_sdnn_avg":null}}"#)
    let run = try await program.succeeds(["export", "openmetrics", "--instance", "John's iPhone"])
    #expect(
      run.output == """
        # TYPE healthkit_steps counter
        # HELP healthkit_steps Total number of steps taken.
        healthkit_steps_total{job="my_health_data",instance="John's iPhone",source="all",\
        unit="count"} 8432 1770591599
        # EOF

        """)
  }
}
