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

  mutating func take(_ finding: ExportFinding) {
    switch finding {
    case .sample(let sample):
      samples += 1
      sum += sample.value
    case .skipped: skipped += 1
    case .unread: break
    case .locale, .exportDate, .source, .timeZone, .workout, .summary: others += 1
    }
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
