import AppleExport
import Foundation
import TestSupport

extension SampleExport {
  /// Reads a file with an independent reader.
  init(peerReading file: URL) async throws {
    let lines = try await PeerPython.run("export_samples.py", arguments: [file.path])
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      let fields = try JSONSerialization.jsonObject(with: Data(line)) as? [Any] ?? []
      switch fields.first as? String {
      case "date": exportDate = (fields[1] as? NSNumber)?.int64Value
      case "zone": zones.append(fields[1] as? String ?? "")
      case "record": add(record: fields)
      case "summary": summaries.append(Self.summary(fields[1] as? [String: String] ?? [:]))
      default: break
      }
    }
  }

  private mutating func add(record: [Any]) {
    let texts = record.map { $0 as? String ?? "" }
    let numbers = record.map { ($0 as? NSNumber)?.int64Value ?? 0 }
    guard let kind = Self.kinds[texts[1]] else { return }
    let value =
      Self.categories.first { texts[8].hasSuffix($0.key) }?.value ?? Double(texts[8]) ?? 0
    samples.append(
      ExportSample(
        kind: kind, unit: SampleUnit(rawValue: texts[2]) ?? .unknown,
        isUserEntered: numbers[3] != 0,
        source: number(of: ExportSource(name: texts[4], hardware: texts[5])), start: numbers[6],
        end: numbers[7], value: value))
  }

  private static func summary(_ attributes: [String: String]) -> ActivitySummary {
    func number(_ name: String) -> Double? { attributes[name].flatMap { Double($0) } }
    let factor = attributes["activeEnergyBurnedUnit"] == "kJ" ? 1 / 4.184 : 1
    return ActivitySummary(
      date: attributes["dateComponents"] ?? "",
      activeEnergy: number("activeEnergyBurned").map { $0 * factor },
      activeEnergyGoal: number("activeEnergyBurnedGoal"),
      exerciseMinutes: number("appleExerciseTime"), moveMinutes: number("appleMoveTime"),
      standHours: number("appleStandHours"))
  }

  private static let kinds: [String: SampleKind] = Dictionary(
    uniqueKeysWithValues: SampleKind.allCases.flatMap { kind in
      let name = "\(kind)".prefix(1).uppercased() + "\(kind)".dropFirst()
      let exact = name.replacing("Vo2Max", with: "VO2Max")
      return ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier"].map { ($0 + exact, kind) }
    })

  private static let categories: [String: Double] = [
    "InBed": 0, "AnalysisAsleep": 1, "AsleepUnspecified": 1, "AnalysisAwake": 2, "AsleepCore": 3,
    "AsleepDeep": 4, "AsleepREM": 5, "HourStood": 0, "HourIdle": 1,
  ]
}
