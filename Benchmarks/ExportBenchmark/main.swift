// Scans one export and prints its speed: `ExportBenchmark FILE` (a zip, an export.xml, a folder, -).

import AppleExport
import Foundation
import HealthModel

/// Takes samples as the daily table would, with next to no work of its own.
struct SampleCount: ExportSink {
  var samples = 0
  var sum = 0.0
  var others = 0
  var skipped = 0

  mutating func take(locale: String) { others += 1 }
  mutating func take(exportDate: Int64) { others += 1 }
  mutating func take(source: ExportSource) { others += 1 }
  mutating func take(timeZone: String, at start: Int64?, ofSleep: Bool) { others += 1 }
  mutating func take(_ workout: ExportWorkout) { others += 1 }
  mutating func take(_ summary: ActivitySummary) { others += 1 }
  mutating func skip(_ reason: SkipReason, _ kind: SampleKind?) { skipped += 1 }
  mutating func take(_ sample: ExportSample) {
    samples += 1
    sum += sample.value
  }
}

guard CommandLine.arguments.count == 2 else {
  print("usage: ExportBenchmark FILE")
  exit(64)
}
var count = SampleCount()
let clock = ContinuousClock()
let begin = clock.now
do {
  let reading = try ExportReader(path: CommandLine.arguments[1]).read(into: &count)
  let seconds = (clock.now - begin) / .seconds(1)
  let megabytes = Double(reading.xmlBytes) / 1e6
  print("\(reading.records) records, \(count.samples) samples, \(count.skipped) skipped")
  print("\(megabytes) MB of XML in \(seconds) s: \(megabytes / seconds) MB/s")
} catch let error as ExportError {
  print("\(error.code.rawValue): \(error)")
  exit(1)
}
