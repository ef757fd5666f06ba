import AppleExport
import Foundation
import HealthModel
import TestSupport

/// Keeps all that a scan finds.
struct Findings: ExportSink, Equatable {
  var locales: [String] = []
  var exportDates: [Int64] = []
  var sources: [ExportSource] = []
  var timeZones: [String] = []
  var samples: [ExportSample] = []
  var workouts: [ExportWorkout] = []
  var summaries: [ActivitySummary] = []
  var skipped: [Skipped] = []
  var unread: [UnreadRecord] = []

  struct Skipped: Hashable {
    let reason: SkipReason
    let kind: SampleKind?
    init(_ reason: SkipReason, _ kind: SampleKind? = nil) {
      (self.reason, self.kind) = (reason, kind)
    }
  }

  mutating func take(_ finding: ExportFinding) {
    switch finding {
    case .locale(let locale): locales.append(locale)
    case .exportDate(let date): exportDates.append(date)
    case .source(let source): sources.append(source)
    case .timeZone(let zone, _, ofSleep: _): timeZones.append(zone)
    case .sample(let sample): samples.append(sample)
    case .workout(let workout): workouts.append(workout)
    case .summary(let summary): summaries.append(summary)
    case .unread(let record): unread.append(record)
    case .skipped(let reason, let kind): skipped.append(Skipped(reason, kind))
    }
  }
}

extension ExportScanner {
  /// Scans bytes in pieces of the sizes that a function gives.
  static func scan(
    _ bytes: [UInt8], bound: Int = 1 << 20, pieces size: (Int) -> Int = { _ in 1 << 18 }
  ) -> ExportScanner {
    var scanner = ExportScanner(maximumTagBytes: bound)
    var (from, index) = (0, 0)
    while from < bytes.count {
      let to = min(bytes.count, from + size(index))
      bytes[from..<to].withUnsafeBytes { scanner.scan($0) }
      (from, index) = (to, index + 1)
    }
    return scanner
  }

  /// What a document with this content of `HealthData` makes the scanner find.
  static func content(_ text: String) throws -> Findings {
    try content(bytes: Array(text.utf8))
  }

  static func content(bytes content: [UInt8]) throws -> Findings {
    let document = Array("<HealthData locale=\"en\">".utf8) + content + Array("</HealthData>".utf8)
    var findings = Findings()
    let scanner = scan(document)
    for finding in scanner.findings { findings.take(finding) }
    return findings
  }
}

/// The exports that tests read.
enum Fixture {
  static let all: [String] = [
    "AlekSi-applehealth-testdata", "dogsheep-healthkit-to-sqlite-export",
    "dogsheep-healthkit-to-sqlite-zip_export", "jdecool-healthkit-parser-exporter",
    "paulstaab-health-export-cli-export", "tagbug-apple-health-analyzer-example",
    "tagbug-apple-health-analyzer-export", "tdda-applehealthdata-export6s3sample",
    "watsonbox-healthkit-parser-export",
  ]

  static func path(_ name: String) throws -> String {
    guard
      let url = Bundle.module.url(
        forResource: name, withExtension: "xml", subdirectory: "Fixtures")
    else { throw Missing(name: name) }
    return url.path
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(name))))
  }

  struct Missing: Error { let name: String }
}

/// A folder of its own for a test, removed with it.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "s3health-export-\(UUID())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: file(name)))
    return file(name)
  }
}
