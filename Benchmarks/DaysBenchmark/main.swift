// Turns made-up samples, type by type as an export has them, into days, and prints the CPU time:
// `DaysBenchmark [SAMPLES] [wide] [records]`; 2,200,000 samples are those of an export of 1 GB.

import AppleExport
import Foundation
import HealthModel
import HealthSources

let sampleCount = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 2_200_000
let days = 1095
let begin = 1_623_708_000

func cpuSeconds() -> Double {
  var usage = rusage()
  getrusage(0, &usage)
  return Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
    + Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
}

func peakMegabytes() -> Int {
  var usage = rusage()
  getrusage(0, &usage)
  #if canImport(Darwin)
    return Int(usage.ru_maxrss) >> 20
  #else
    return Int(usage.ru_maxrss) >> 10
  #endif
}

/// Every kind with its share of the samples, its unit, its length in seconds and its values.
let kinds: [(SampleKind, Double, SampleUnit, Int64, Double)] = [
  (.heartRate, 0.30, .countPerMinute, 0, 140), (.stepCount, 0.15, .count, 240, 300),
  (.activeEnergyBurned, 0.45, .kilocalorie, 60, 3), (.appleExerciseTime, 0.05, .minute, 60, 1),
  (.heartRateVariabilitySDNN, 0.005, .millisecond, 65, 120),
  (.sleepAnalysis, 0.03, .none, 1500, 5), (.appleStandHour, 0.015, .none, 3600, 1),
]

func run() throws {
  var options = ExportOptions()
  options.zones = ReportingZones("Europe/Paris")
  if CommandLine.arguments.contains("wide") { options.metrics = Set(DailyMetric.allCases) }
  options.wantsRecords = CommandLine.arguments.contains("records")
  var collector = ExportCollector(options: options, spool: UnlinkedFile())
  collector.take(source: ExportSource(name: "Watch", hardware: "Watch6,2"))
  collector.take(source: ExportSource(name: "Phone", hardware: "iPhone14,5"))
  var random = UInt64(1)
  let started = cpuSeconds()
  var taken = 0
  for (kind, share, unit, length, most) in kinds {
    let count = Int(Double(sampleCount) * share)
    for index in 0..<count {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let start = Int64(begin + days * 86_400 / max(1, count) * index + Int(random >> 58))
      let isPhone = kind == .stepCount && random >> 40 & 1 == 1
      try collector.take(
        ExportSample(
          kind: kind, unit: unit, source: isPhone ? 1 : 0, start: start, end: start + length,
          value: (Double(random >> 33) / Double(1 << 31) * most).rounded()))
      taken += 1
    }
  }
  let collected = cpuSeconds()
  var stream = try collector.days()
  var made = 0
  var steps = 0.0
  while let day = try stream.next() {
    made += 1
    steps += day.readings.readings[.steps]?.number ?? 0
  }
  let ended = cpuSeconds()
  print("\(taken) samples, \(made) days, \(steps) steps")
  print("collected in \(collected - started) s, counted in \(ended - collected) s of CPU")
  print("peak memory \(peakMegabytes()) MB")
}

try run()
