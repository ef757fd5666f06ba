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
      #expect(try PushMemory(parsing: memory.document.canonicalBytes) == memory)
    }
  }

  @Test func `R57: the file of an earlier push is read`() throws {
    let memory = try PushMemory(parsing: Array(Self.earlier.utf8))
    let record = try #require(memory.records.first)
    #expect(record.lastAttempt == 1_764_000_000)
    #expect(record.lastFailure?.kind == .unauthorized)
    #expect(record.families == ["healthkit_steps_total", "healthkit_up"])
    let kept = try #require(memory.stores["s3://b/p"])
    #expect(kept.cache.origins["weight"]?.source == "Scale")
    #expect(kept.detail?.workouts["running"]?["Apple Watch"]?.minutes == 30.5)
    #expect(kept.detail?.workouts["running"]?["Apple Watch"]?.calories == nil)
    #expect(kept.detail?.sources["step_count"] == ["iPhone", "Apple Watch"])
    #expect(kept.fingerprint == nil)
    #expect(kept.cache.heartRates["night"]?.value == 51)
    #expect(kept.months["2025-11"]?.days.first?.numbers == [.weight: 71])
  }

  @Test func `R57: what an earlier release kept of a day's samples is read anew`() throws {
    let text = Self.earlier.replacing("\"totals\":", with: "\"shares\":")
      .replacing("\"usedAt\"", with: "\"fingerprint\":\"1-2\",\"usedAt\"")
    let kept = try #require(try PushMemory(parsing: Array(text.utf8)).stores["s3://b/p"])
    #expect(kept.detail == nil && kept.fingerprint == nil)
    #expect(kept.cache.origins["weight"]?.source == "Scale")
  }

  @Test func `R57: a file in which a member is missing or of another form is damaged`() throws {
    let whole = try JSONValue(parsing: Array(Self.earlier.utf8))
    var places = 0
    for changed in Self.changes(of: whole) {
      places += 1
      // An object by its own names may lose any of them; each other member has its form.
      let read = try? PushMemory(parsing: changed.value.canonicalBytes)
      #expect((read == nil) == !changed.isOptional, "\(changed.path)")
    }
    #expect(places > 60)
    for text in ["", "[]", "{}", #"{"records":[]}"#, #"{"records":{},"stores":{}}"#] {
      #expect(throws: InvalidText.self) { try PushMemory(parsing: Array(text.utf8)) }
    }
  }

  private static let earlier = #"""
    {"records":[{"failures":2,"families":["healthkit_steps_total","healthkit_up"],
    "gateway":"https://host:9091","instance":"John's iPhone","job":"my_health_data",
    "lastAttempt":1764000000,"lastFailure":{"at":1764000000,"kind":"unauthorized",
    "message":"the gateway answered 401"},"lastSuccess":1763990000,"samples":12}],
    "stores":{"s3://b/p":{"cache":{"origins":{"weight":{"date":"2025-11-23",
    "source":"Scale","samplesOf":1763900000}},
    "ratesByDate":{"2025-11-23":{"generatedAt":1763900000,"rates":{"night":{"at":1763900000,
    "source":"Apple Watch","value":51}}}}},"months":{"2025-11":{"fingerprint":"x","days":[
    {"date":"2025-11-23","start":1763852400,"end":1763938800,"generatedAt":1763900000,
    "numbers":{"weight":71}}]}},"detail":{"date":"2025-11-23","heartRates":{"morning":{"at":1763900001,
    "source":"iPhone","value":61.5}},"totals":{"step_count":{"iPhone":100,"Apple Watch":200.5}},"numbers":{"step_count":300.5},
    "latest":{"weight":{"at":1763900001,"source":"Scale","value":71.5}},
    "sources":{"step_count":["iPhone","Apple Watch"]},
    "workouts":{"running":{"Apple Watch":{"minutes":30.5}}}},"usedAt":1764000000}}}
    """#

  /// Members that may be absent, and objects whose names are data.
  private static let optional: Set<String> = [
    "lastSuccess", "lastFailure", "detail", "origins", "months", "ratesByDate",
  ]
  private static let named: Set<String> = [
    "stores", "origins", "heartRates", "ratesByDate", "rates", "months",
    "numbers", "totals", "latest", "sources", "workouts",
    "step_count", "running",
  ]

  /// The document without one member, and with one member of another form, for each in turn.
  private static func changes(of value: JSONValue, _ path: [String] = []) -> [(
    path: String, value: JSONValue, isOptional: Bool
  )] {
    var found: [(path: String, value: JSONValue, isOptional: Bool)] = []
    switch value {
    case .object(let members):
      for (key, member) in members {
        var less = members
        less[key] = nil
        let mayGo = optional.contains(key) || path.last.map(named.contains) == true
        found.append(((path + [key, "absent"]).joined(separator: "."), .object(less), mayGo))
        var other = members
        other[key] = .bool(true)
        found.append(((path + [key, "changed"]).joined(separator: "."), .object(other), false))
        for inner in changes(of: member, path + [key]) {
          other[key] = inner.value
          found.append((inner.path, .object(other), inner.isOptional))
        }
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        var other = elements
        for inner in changes(of: element, path + ["\(index)"]) {
          other[index] = inner.value
          found.append((inner.path, .array(other), inner.isOptional))
        }
      }
    default: break
    }
    return found
  }

  private static func memory(_ random: inout SplitMix64) throws -> PushMemory {
    let date = try #require(CalendarDate("2026-02-08"))
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
      guard
        let address = try? GatewayAddress("https://host:\(9091 + number)", job: "j", instance: "i")
      else { continue }
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
      kept.cache = ValueCache(
        origins: some { .init(date: word(), source: word(), samplesOf: whole()) },
        ratesByDate: some { .init(generatedAt: whole(), rates: some(rate)) })
      kept.months = some {
        PushedMonth(
          word(),
          of: [
            PushedDay(
              date: date, start: whole(), end: whole(),
              generatedAt: whole(), numbers: [.weight: number(), .steps: number()])
          ])
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
        kept.detail = detail
      }
      kept.fingerprint = Bool.random(using: &random) ? word() : nil
      kept.usedAt = whole()
      memory.keep(kept, ofStore: name)
    }
    return memory
  }
}
