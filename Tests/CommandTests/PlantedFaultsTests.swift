import Foundation
import TestSupport
import Testing

/// `verify` on stores with planted faults: everything is found, and nothing else.
@Suite(.server) struct PlantedFaultsTests {
  /// What the program and an independent reader made of a store.
  private struct Findings {
    let found: [String]
    let missing: [String]
    let resolved: [String: String]
    let offZone: [String]
    let exitCode: Int
    let revisionsRead: Int

    init(_ run: Program.Run, prefix: String = "") throws {
      let document = try run.json()
      let findings = try #require(document["findings"] as? [[String: Any]], "\(run.errors)")
      found = findings.map { finding in
        let text = ["severity", "code", "key", "pointer", "date"].map { name in
          finding[name] as? String ?? "-"
        }
        let key = text[2].hasPrefix(prefix) ? String(text[2].dropFirst(prefix.count)) : text[2]
        return "\(text[0]) \(text[1]) \(key) \(text[3]) \(text[4])"
      }.sorted()
      missing = try #require(document["missing_dates"] as? [String])
      let entries = try #require(document["resolved"] as? [[String: String]])
      resolved = Dictionary(
        uniqueKeysWithValues: entries.map { ($0["date"] ?? "", $0["revision_id"] ?? "") })
      offZone = findings.compactMap { finding in
        finding["rule"] as? String == "R4" ? finding["date"] as? String : nil
      }
      exitCode = run.exitCode
      revisionsRead = try #require(document["revisions_read"] as? Int)
      #expect(document["findings_omitted"] as? Int == 0)
    }
  }

  /// What a reader that has none of our code makes of the same objects.
  private struct PeerAnswer {
    let missing: [String]
    let resolved: [String: String]
    let offZone: Set<String>

    init(_ place: [String: Any], _ store: PlantedStore) async throws {
      let rows = try await LedgerRow.read(
        place, from: store.days.first?.date.text ?? "", to: store.days.last?.date.text ?? "")
      missing = rows.filter(\.missing).map(\.date)
      resolved = Dictionary(
        uniqueKeysWithValues: rows.compactMap { row in row.id.map { (row.date, $0) } })
      offZone = Set(rows.filter(\.isOffZone).map(\.date))
    }
  }

  private func range(_ store: PlantedStore) -> [String] {
    [
      "verify", "--from", store.days.first?.date.text ?? "", "--to",
      store.days.last?.date.text ?? "", "--max-days", "3660", "--output", "json",
    ]
  }

  /// Precision and recall are 1: the findings are the planted ones, in every count.
  private func expectExactly(
    _ found: [String], _ planted: [String], at location: SourceLocation = #_sourceLocation
  ) {
    guard found != planted else { return }
    let extra = Self.difference(found, planted)
    let lost = Self.difference(planted, found)
    Issue.record(
      "\(extra.count) too many: \(extra.prefix(8)); \(lost.count) not found: \(lost.prefix(8))",
      sourceLocation: location)
  }

  private static func difference(_ some: [String], _ others: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for other in others { counts[other, default: 0] += 1 }
    return some.filter { text in
      counts[text, default: 0] -= 1
      return counts[text, default: 0] < 0
    }
  }

  /// Two years have every kind of fault; `scripts/test all` has ten, and the memory that they take.
  @Test func `R35 in years of planted faults everything is found and nothing else`() async throws {
    let program = try Program()
    // 2011-12-30, which Pacific/Apia skipped, is among them.
    let (first, days) = TestDepth.full((13_879, 3660), usual: (15_200, 800))
    let store = PlantedStore(from: PlantedDate(number: first), days: days, seed: 20_261_121)
    let folder = try program.folder("planted")
    try store.write(to: folder)
    let command = range(store) + ["--store", folder.path]

    let shallow = try Findings(try await program.run(command))
    #expect(shallow.exitCode == 1)
    expectExactly(shallow.found, store.findings(deep: false))
    let deep = try Findings(try await program.run(command + ["--deep"]))
    expectExactly(deep.found, store.findings(deep: true))
    #expect(deep.revisionsRead == store.days.reduce(0) { $0 + $1.revisions.count })
    #expect(deep.found.count > shallow.found.count && shallow.found.count > days / 4)

    // Every kind of fault was there to be found.
    let codes = Set(deep.found.map { $0.split(separator: " ")[1] })
    let kinds = DocumentFault.all.flatMap { fault in
      [fault.errors, fault.breaches, fault.zone, fault.warnings, fault.notes].joined()
    }
    #expect(codes.isSuperset(of: kinds.map { Substring($0.code) }))

    let peer = try await PeerAnswer(["folder": folder.path], store)
    for findings in [shallow, deep] {
      #expect(findings.missing == store.missingDates && findings.missing == peer.missing)
      #expect(findings.resolved == store.resolved && findings.resolved == peer.resolved)
    }
    #expect(Set(shallow.offZone) == peer.offZone && !peer.offZone.isEmpty)
  }

  @Test(arguments: 1...TestDepth.full(3, usual: 1))
  func `R35 each seed's faults are found on a folder, and below a prefix`(seed: Int) async throws {
    let program = try Program()
    let store = PlantedStore(from: PlantedDate(number: 20_000), days: 400, seed: UInt64(seed))
    let folder = try program.folder("planted")
    try store.write(to: folder)
    let command = range(store) + ["--store", folder.path, "--deep"]
    let whole = try Findings(try await program.run(command))
    expectExactly(whole.found, store.findings(deep: true))
    // Concurrency changes no finding and no order.
    let one = try await program.run(command + ["--concurrency", "1"])
    #expect(one.output == (try await program.run(command + ["--concurrency", "64"]).output))
  }

  @Test(arguments: TestServer.one)
  func `R35 planted faults are found on a real server, and boto3 reads the same`(
    server: TestServer
  ) async throws {
    let program = try Program().on(server)
    let store = PlantedStore(from: PlantedDate(number: 15_300), days: 190, seed: 7)
    let folder = try program.folder("planted")
    try store.write(to: folder)
    let prefix = "planted/\(UUID())"
    try await server.put(folder, below: prefix)

    let command = range(store) + server.arguments(prefix: prefix)
    let shallow = try Findings(try await program.run(command), prefix: prefix + "/")
    expectExactly(shallow.found, store.findings(deep: false))
    let deep = try Findings(try await program.run(command + ["--deep"]), prefix: prefix + "/")
    expectExactly(deep.found, store.findings(deep: true))
    let peer = try await PeerAnswer(server.question(["prefix": prefix]), store)
    #expect(deep.missing == peer.missing && deep.missing == store.missingDates)
    #expect(deep.resolved == peer.resolved && deep.resolved == store.resolved)
    #expect(Set(shallow.offZone) == peer.offZone)
  }
}
