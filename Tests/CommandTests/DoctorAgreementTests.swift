import Foundation
import TestSupport
import Testing

/// `init` and `doctor` say "not ready" exactly when a `put` would fail.
enum DoctorAgreement {
  static func check(
    _ program: Program, _ store: [String], reads: Bool = true,
    readingAfter settling: () async throws -> Void = {}
  ) async throws {
    let doctor = try await program.run(["doctor", "--verbose"] + store)
    let put = try await program.run(["put", "--input", "-"] + store, input: payload())
    try await settling()
    let both = "\(doctor.output)\n\(put.output)\(put.errors)"
    #expect([0, 1].contains(doctor.exitCode) == (put.exitCode == 0), "\(both)")
    #expect(doctor.output.contains("Not ready") == (put.exitCode != 0), "\(both)")
    guard put.exitCode == 0, reads else { return }
    try await program.succeeds(["get", "2026-02-08"] + store, printing: "8,432")
    try await program.succeeds(["verify", "2026-02-08"] + store)
    #expect(try await program.revisions("2026-02-08", store) == 1)
    // Where there is a pointer, doctor has promised one.
    let words = "without latest.json"
    #expect(put.output.contains(words) == doctor.output.contains(words), "\(both)")
  }
}

@Suite(.server) struct DoctorOnServersTests {
  @Test(arguments: TestServer.every)
  func `doctor's verdict is what a put, a get and a verify find`(server: TestServer) async throws {
    try await DoctorAgreement.check(try Program().on(server), server.arguments())
  }
}

@Suite(.process) struct DoctorOnHostileServersTests {
  /// What a manner needs to be asked for.
  static let buckets = [
    "gap": "gap-3000", "closesrefused": "after-20", "refusesall": "400-InvalidArgument",
  ]

  /// Manners that change after so many requests, on purpose, so that no earlier look can tell; and
  /// those in which reads of revisions that exist are refused, which no publish of a new day needs.
  static let changing: Set = [
    "dies", "diesafter", "diesreading", "deniessome", "deniesfives", "stalls",
    "conflictsome",
  ]

  /// Those that never show what was written last, or let nobody read it.
  static let blind: Set = ["stalereads", "stalelist", "unreadabledays", "keepsnothing"]

  /// Those that pass after some requests, and need the patience that is usual.
  static let passing: Set = [
    "conflictfirst", "seldom503", "seldomtimeout", "seldomapplied", "starts", "slowtwice",
  ]

  /// Every manner of the server, from its source, so that none is forgotten.
  static let manners: [String] = {
    let folder = ProjectTree.root.appending(path: "Tests/Peers")
    func text(_ name: String) -> String {
      (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
    }
    let own = text("s3_hostile.py").matches(of: /def mode_(\w+)/).map { String($0.1) }
    let tables = text("s3_manners.py").matches(of: /"(\w+)": (?:[({]|lambda|once)/).map {
      String($0.1)
    }
    return Set(own + tables).sorted().filter { !changing.contains($0) }
  }()

  /// One of each kind, for a usual run: five commands for each of a hundred take a minute.
  static let kinds = [
    "honest", "says501", "objectlock", "md5only", "gap", "closesrefused", "lags",
    "cached",
    "stalereads", "foreign404", "nowrite501", "r2region", "plainrefusal", "seldom503", "starts",
    "versioned", "probedenied", "unwritabledays", "pointerdenied", "createsonly",
    "missing403",
  ]

  @Test func `all manners are known`() {
    #expect(Self.manners.count > 100 && Set(Self.manners).isSuperset(of: Self.kinds))
  }

  @Test(arguments: TestDepth.full(manners, usual: TestDepth.one(of: 2, kinds)))
  func `doctor's verdict is what a put, a get and a verify find`(manner: String) async throws {
    let server = try HostileStore()
    var program = try Program().onHostile()
    if !Self.passing.contains(manner) { program.environment["AWS_MAX_ATTEMPTS"] = "4" }
    let store = [
      "--store", "s3://\(Self.buckets[manner] ?? "bucket")/p", "--endpoint-url",
      server.endpoint(manner), "--timeout", "3",
    ]
    let isLagging = manner.hasPrefix("lags") || manner == "cached"
    try await DoctorAgreement.check(program, store, reads: !Self.blind.contains(manner)) {
      if isLagging { try await server.settle() }
    }
  }

  /// A policy may allow the days and not the probe, or the probe and not the days.
  @Test(arguments: [
    ("probedenied", true), ("probewritesdenied", true), ("createsonly", true),
    ("unreadabledays", true), ("unwritabledays", false), ("unreadablerevisions", false),
    ("pointerdenied", false), ("revisionsdenied", false), ("nothingwritable", false),
  ])
  func `R28: init and doctor say what a put may do among the days, whatever the probe may`(
    manner: String, isReady: Bool
  ) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let endpoint = ["--endpoint-url", server.endpoint(manner)]
    let initialised = try await program.run(["init", "s3://bucket/p"] + endpoint)
    let store = ["--store", "s3://bucket/p"] + endpoint
    let doctor = try await program.run(["doctor"] + store)
    let put = try await program.run(["put", "--input", "-"] + store, input: payload())
    #expect((put.exitCode == 0) == isReady, "\(put.errors)")
    for run in [initialised, doctor] {
      #expect(run.output.contains("Not ready") != isReady)
      #expect([0, 1].contains(run.exitCode) == isReady)
      if !isReady { #expect(run.exitCode == put.exitCode) }
    }
    let honest = server.store("honest")
    let verify = try await program.run(["verify", "2026-02-08", "--allow-missing"] + honest)
    #expect(!verify.output.contains("foreign_object"))
  }

  @Test(arguments: ["lags", "lagsignoring", "lagsrefusing", "cached"])
  func `R20: what lags is published once, and not again at each look`(manner: String) async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let at = server.store
    let part = stepPayload(#"{"date":"2026-02-08 00:00:00 +0100","qty":8432}"#)
    for _ in 0..<2 { try await program.put(part, at(manner)) }
    // One that was refused its condition is sent again without it, by the same name.
    func revisions() async throws -> Set<String> {
      Set(try await server.writes().filter { $0.contains("/revisions/") })
    }
    let hidden = try await revisions().count
    // The second finds nothing yet, and can't know better.
    #expect((1...2).contains(hidden))
    try await program.run(["doctor"] + at(manner), ends: 1, printing: "reads are not consistent")
    try await server.settle()
    try await program.put(part, at(manner))
    // Where two were hidden from each other, the one with the greater id may say the earlier moment. Then the
    // next to look joins them.
    let settled = try await revisions()
    #expect(settled.count <= 2 * hidden - 1, "\(settled)")
    try await server.settle()
    try await program.put(part, at(manner))
    #expect(try await revisions() == settled)
  }

  @Test func `a bucket that needs no key is a warning, also on this machine's own address`()
    async throws
  {
    let server = try HostileStore()
    try await Program().onHostile().run(
      ["doctor"] + server.store("honest"), ends: 1,
      printing: "warning  privacy: anyone can list, write here without a key")
    #expect(try await server.keys() == [])
  }

  @Test func `R28: doctor says what a store without conditions costs`() async throws {
    let server = try HostileStore()
    let program = try Program().onHostile()
    let doctor = try await program.run(
      ["doctor", "--store", "s3://bucket/p", "--endpoint-url", server.endpoint("says501")], ends: 1)
    for words in [
      "takes writes only without conditions", "without latest.json", "a read before", "s3healthd",
    ] { #expect(doctor.output.contains(words)) }
  }
}
