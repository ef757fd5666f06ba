import Foundation
import TestSupport
import Testing

/// analytics/ reads stores as they stand, by the rules of SPEC.md and not by this project's code.
@Suite(.process, .peers) struct AnalyticsTests {
  /// What the peer says it compared.
  private struct Compared: Decodable {
    let days, numbers: Int
    /// `PERSON DATE` of days that have revisions, none of them readable.
    let unread: [String]
  }

  /// People with planted faults, in a program's home.
  private struct People {
    let program: Program
    var stores: [String] = []
    /// `PERSON DATE` of days that have revisions, none of them readable.
    var unread: [String] = []

    init() throws {
      program = try Program()
      let people = try program.folder("people")
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
    }

    func path(_ name: String) -> String { program.home.appending(path: name).path }

    /// The same people below a prefix of a bucket.
    mutating func move(to server: TestServer) async throws {
      let prefix = "analytics/\(UUID())"
      try await server.put(program.home.appending(path: "people"), below: prefix)
      stores = stores.map {
        "s3://\(server.bucket)/\(prefix)/\(URL(filePath: $0).lastPathComponent)"
      }
    }

    /// Compares what a script writes with what `export` says.
    func expectSame(
      _ script: String, into folder: String, in venv: PeerPython.Venv,
      settings: [String: String] = [:]
    ) async throws {
      let output = try await PeerPython.run(
        "analytics_days.py",
        arguments: [
          ProjectTree.root.appending(path: "analytics/\(script)").path,
          ProjectTree.root.appending(path: "schema/health.v0.schema.json").path, path(folder),
          Program.path,
        ] + stores, input: Array(try JSONEncoder().encode(settings)), in: venv)
      let compared = try JSONDecoder().decode(Compared.self, from: Data(output))
      #expect(compared.days > 500 && compared.numbers > 2_000)
      #expect(compared.unread == unread.sorted())
      #expect(!unread.isEmpty)
    }
  }

  @Test func `R30, R41, R42: DuckDB finds the days of export in planted faults`() async throws {
    let people = try People()
    try await people.expectSame("parquet.py", into: "parquet", in: .all)
  }

  @Test(.slow)
  func `R30, R41, R42: Spark finds the days of export, and Iceberg holds what Spark has written`()
    async throws
  {
    let people = try People()
    try await people.expectSame("spark_days.py", into: "parquet", in: .engines)
    let output = try await PeerPython.run(
      "iceberg_days.py",
      arguments: [
        ProjectTree.root.appending(path: "analytics/iceberg.py").path, people.path("parquet"),
        people.path("warehouse"),
      ], in: .engines)
    // Twice, so that the second run replaces the first.
    #expect(try JSONDecoder().decode([String: Bool].self, from: Data(output))["equal"] == true)
  }

  @Test func `R29: DuckDB's script keeps the Parquet of a store that hides data`() async throws {
    try await expectFaultsFound(by: "parquet.py", in: .all)
  }

  @Test(.slow)
  func `R29: Spark's script keeps the Parquet of a store that is missing, empty or hides data`()
    async throws
  {
    try await expectFaultsFound(by: "spark_days.py", in: .engines)
  }

  /// The peer damages copies of a store in each way, and says what the script did wrong.
  private func expectFaultsFound(by script: String, in venv: PeerPython.Venv) async throws {
    let program = try Program()
    let store = try program.folder("store")
    let day = #"{"date":"2026-01-01","timezone":"UTC","metrics":{"steps":1}}"#
    let put = try await program.run("put", "--store", store.path, "--input", "-", input: day)
    #expect(put.exitCode == 0, "\(put.errors)")
    let output = try await PeerPython.run(
      "analytics_faults.py",
      arguments: [ProjectTree.root.appending(path: "analytics/\(script)").path, program.home.path],
      in: venv)
    #expect(String(decoding: output, as: UTF8.self) == "{}\n")
  }

  @Test(.server, .slow, arguments: TestServer.one.filter { !$0.speaksTLS })
  func `R30, R41, R42: DuckDB and Spark find a bucket's days`(server: TestServer) async throws {
    var people = try People()
    try await people.move(to: server)
    // Both only read the bucket.
    for script in ["parquet.py", "spark_days.py"] {
      try await people.expectSame(
        script, into: script, in: .engines,
        settings: [
          "AWS_ACCESS_KEY_ID": server.accessKey, "AWS_SECRET_ACCESS_KEY": server.secretKey,
          "AWS_REGION": server.region, "AWS_ENDPOINT_URL": server.endpoint,
          "AWS_EC2_METADATA_DISABLED": "true",
        ])
    }
  }
}
