import HealthModel
import StoreTesting
import Testing

@testable import HealthExports

/// What pushes keep between runs (R57).
@Suite(.unit) struct PushMemoryTests {
  @Test func `R57: what was kept comes back as it was, whatever is in it`() throws {
    var random = SplitMix64(seed: 57)
    for _ in 0..<500 {
      let memory = try Self.memory(&random)
      #expect(try PushMemory(parsing: memory.bytes()) == memory)
    }
  }

  @Test func `R57: the file of an earlier release keeps its gateways`() throws {
    let memory = try PushMemory(parsing: Array(Self.earlier.utf8))
    let record = try #require(memory.records.first)
    #expect(record.lastAttempt == 1_764_000_000 && record.lastSuccess == 1_763_990_000)
    #expect(record.lastFailure?.kind == .unauthorized && record.failures == 2)
    #expect(record.families == ["healthkit_steps_total", "healthkit_up"])
    let kept = try #require(memory.stores["s3://b/p"])
    #expect(kept.details == nil && kept.gauges == nil && kept.usedAt == 1_764_000_000)
  }

  @Test func `R57: a file in which a member is missing or of another form is damaged`() throws {
    let whole = try JSONValue(parsing: Array(Self.earlier.utf8))
    let records = try #require(whole["records"]?.arrayValue)
    let record = try #require(records[0].objectValue)
    var damaged = ["", "[]", "{}", #"{"records":[]}"#, #"{"records":{},"stores":{}}"#].map {
      Array($0.utf8)
    }
    for key in record.keys {
      for value in [nil, JSONValue.bool(true)] {
        if value == nil, key.hasPrefix("last"), key != "lastAttempt" { continue }
        var less = record
        less[key] = value
        let file = JSONValue.object(["records": .array([.object(less)]), "stores": .object([:])])
        damaged.append(file.canonicalBytes)
      }
    }
    #expect(damaged.count > 18)
    for text in damaged {
      #expect(throws: (any Error).self) { try PushMemory(parsing: text) }
    }
  }

  /// It also kept what days say.
  private static let earlier = #"""
    {"records":[{"failures":2,"families":["healthkit_steps_total","healthkit_up"],
    "gateway":"https://host:9091","instance":"John's iPhone","job":"my_health_data",
    "lastAttempt":1764000000,"lastFailure":{"at":1764000000,"kind":"unauthorized",
    "message":"the gateway answered 401"},"lastSuccess":1763990000,"samples":12}],
    "stores":{"s3://b/p":{"cache":{"origins":{}},"months":{"2025-11":{"fingerprint":"x","days":[]}},
    "detail":{"date":"2025-11-23","heartRates":{}},"usedAt":1764000000}}}
    """#

  private static func memory(_ random: inout SplitMix64) throws -> PushMemory {
    func word() -> String {
      ["a", "é", "John's \"iPhone\"", "📱\n", ""].randomElement(using: &random) ?? ""
    }
    func whole() -> Int { Int.random(in: -5...2_000_000_000, using: &random) }
    func number() -> Double { Double.random(in: -1e9...1e9, using: &random) }
    func rate() -> PushedDetail.Newest { .init(source: word(), value: number(), at: whole()) }
    func some<Value>(_ value: () -> Value) -> [String: Value] {
      Dictionary(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in (word(), value()) },
        uniquingKeysWith: { $1 })
    }
    var memory = PushMemory()
    for number in 0..<Int.random(in: 0...3, using: &random) {
      let address = try GatewayAddress("https://host:\(9091 + number)", job: "j", instance: "i")
      var record = PushRecord(address, at: whole())
      record.lastSuccess = Bool.random(using: &random) ? whole() : nil
      if Bool.random(using: &random) {
        record.lastFailure = .init(kind: .refused, message: word(), at: whole())
      }
      (record.failures, record.samples, record.families) = (3, whole(), [word(), word()])
      memory.keep(record, of: address)
    }
    for name in some(word).values {
      var kept = PushMemory.Kept()
      if Bool.random(using: &random) {
        kept.gauges = some {
          .init(value: number(), at: whole(), date: word(), source: word(), isLatest: true)
        }
      }
      if Bool.random(using: &random) {
        var detail = PushedDetail(date: word())
        detail.totals = some { some(number) }
        (detail.numbers, detail.latest) = (some(number), some(rate))
        detail.sources = some { [word()] }
        detail.heartRates = some(rate)
        detail.workouts = some {
          some { .init(minutes: number(), calories: Bool.random(using: &random) ? number() : nil) }
        }
        detail.fingerprint = Bool.random(using: &random) ? word() : nil
        kept.details = [detail]
      }
      kept.usedAt = whole()
      memory.keep(kept, ofStore: name)
    }
    return memory
  }
}
