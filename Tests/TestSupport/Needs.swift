import Foundation
package import Testing

/// How much of the tests is run: S3HEALTH_TESTS, which scripts/test sets.
package enum TestDepth: String, Comparable, Sendable {
  /// `scripts/test quick`: the unit tests that are not slow.
  case quick
  /// `scripts/test`: every rule at least once, against the real thing.
  case usual
  /// `scripts/test all`.
  case all

  package static let now =
    ProcessInfo.processInfo.environment["S3HEALTH_TESTS"].flatMap(Self.init) ?? .usual

  package static func < (one: Self, other: Self) -> Bool {
    one != other && (one == .quick || other == .all)
  }

  /// The full form of a value in `scripts/test all`, and otherwise a narrower one.
  package static func full<Value>(_ full: Value, usual: Value) -> Value {
    now == .all ? full : usual
  }

  /// All cases in `scripts/test all`, and otherwise one of so many, beginning with the first.
  package static func one<Case>(of number: Int, _ cases: [Case]) -> [Case] {
    full(cases, usual: cases.indices.filter { $0 % number == 0 }.map { cases[$0] })
  }

  /// How often something is killed: S3HEALTH_KILLS, where it is set.
  package static func kills(_ full: Int, usual: Int = 10) -> Int {
    let set = ProcessInfo.processInfo.environment["S3HEALTH_KILLS"].flatMap { Int($0) }
    return set ?? Self.full(full, usual: usual)
  }
}

/// What a test needs: each suite says one of `unit`, `process` and `server`, and beside it what else.
///
/// Tests that are not part of a run are reported as skipped. With S3HEALTH_NEEDS nothing is run: the needs
/// of the tests that would be are printed, so that scripts/test installs and starts these and no more.
package struct Need: SuiteTrait, TestTrait {
  package let word: String
  /// The first run that has it.
  let depth: TestDepth

  package var isRecursive: Bool { true }

  package func prepare(for test: Test) async throws {
    // Those of its suites are among them.
    let needs = test.traits.compactMap { $0 as? Need }
    let missing = needs.filter { $0.depth > .now }.map(\.word)
    try await ConditionTrait.enabled(
      if: missing.isEmpty, "not in this run: \(missing.joined(separator: ", "))"
    ).prepare(for: test)
    let isAsked = ProcessInfo.processInfo.environment["S3HEALTH_NEEDS"] != nil
    guard isAsked, !test.isSuite else { return }
    print(needs.map { "need \($0.word)\n" }.joined(), terminator: "")
    try await ConditionTrait.disabled("asked for its needs").prepare(for: test)
  }
}

extension Trait where Self == Need {
  /// This process and the files of the machine.
  package static var unit: Self { Need(word: "unit", depth: .quick) }
  /// A program that is run: s3health, s3healthd, a Python peer.
  package static var process: Self { Need(word: "process", depth: .usual) }
  /// An S3 server that is not written here.
  package static var server: Self { Need(word: "server", depth: .usual) }
  /// PostgreSQL.
  package static var database: Self { Need(word: "database", depth: .usual) }
  /// Prometheus and its Pushgateway.
  package static var prometheus: Self { Need(word: "prometheus", depth: .usual) }
  /// Six seconds or more: all orders of events, much data, every changed byte, what waits.
  package static var slow: Self { Need(word: "slow", depth: .usual) }
  /// What the usual run has in a narrower form, or what changes seldom.
  package static var nightly: Self { Need(word: "nightly", depth: .all) }
  /// A Chromium.
  package static var browser: Self { Need(word: "browser", depth: .all) }
  /// The peers of Tests/Peers/all.txt and of the environments beside it: engines, further clients.
  package static var peers: Self { Need(word: "peers", depth: .all) }
}

/// Says how long each case took (Swift Testing's own lines count from when all tests began), and lets none
/// that runs programs cross a midnight: they take today's date from this machine's clock, as the test did.
extension Need: TestScoping {
  /// The hours of UTC at which today begins where tests ask for it: in UTC, in Kiritimati and Honolulu, in
  /// Pago Pago.
  private static let midnights = [0, 10, 11]
  /// No test that asks for today takes longer, even on a busy machine.
  private static let longest = 180

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let needs = test.traits.compactMap { $0 as? Need }
    guard word == needs.first?.word else { return try await function() }
    if word != "unit" {
      let second = Int(Date().timeIntervalSince1970)
      let hour = 3600 - second % 3600
      if hour <= Self.longest, Self.midnights.contains((second + hour) / 3600 % 24) {
        try await Task.sleep(for: .seconds(hour))
      }
    }
    let start = ContinuousClock.now
    defer {
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      let place = test.sourceLocation
      print(
        "took \((seconds * 1000).rounded() / 1000) s \(place.fileName): \(test.displayName ?? test.name)"
      )
    }
    try await function()
  }
}
