import Foundation
import TestSupport
import Testing

/// analytics/ reads stores as they stand, by the rules of SPEC.md and not by this project's code.
@Suite(.tags(.process)) struct AnalyticsTests {
  /// What the peer says it compared.
  private struct Compared: Decodable {
    let days, numbers: Int
    /// `PERSON DATE` of days that have revisions, none of them readable.
    let unread: [String]
  }

  @Test func `R30, R41, R42: DuckDB finds the days of export, for people with planted faults`()
    async throws
  {
    let program = try Program()
    defer { program.removeHome() }
    let people = try program.folder("people")
    var stores: [String] = []
    var unread: [String] = []
    for (place, person) in ["ann", "bob", "cho"].enumerated() {
      let store = PlantedStore(
        from: PlantedDate(number: 15_300 + place), days: 250, seed: UInt64(40 + place))
      let folder = people.appending(path: person)
      try store.write(to: folder)
      stores.append(folder.path)
      for day in store.days where !day.revisions.isEmpty && day.latest == nil {
        unread.append("\(person) \(day.date.text)")
      }
    }
    let output = try await PeerPython.run(
      "analytics_days.py",
      arguments: [
        ProjectTree.root.appending(path: "analytics/parquet.py").path,
        ProjectTree.root.appending(path: "schema/health.v0.schema.json").path,
        program.home.appending(path: "parquet").path, Program.path,
      ] + stores)
    let compared = try JSONDecoder().decode(Compared.self, from: Data(output))
    #expect(compared.days > 500 && compared.numbers > 2_000)
    #expect(compared.unread == unread.sorted())
    #expect(!unread.isEmpty)
  }
}
