import HealthModel
import StoreTesting

/// Documents made from sound ones by a few random changes, each of which may or may not break a
/// rule.
struct DocumentMutations {
  var random: SplitMix64

  /// The document after `count` changes.
  mutating func mutated(_ document: JSONValue, changes count: Int) -> JSONValue {
    var document = document
    for _ in 0..<count { document = change(document) }
    return document
  }

  private mutating func change(_ value: JSONValue) -> JSONValue {
    guard case .object(var members) = value, !members.isEmpty else { return replacement(of: value) }
    let key = random.pick(members.keys.sorted())
    switch Int.random(in: 0..<12, using: &random) {
    case 0: members[key] = nil
    case 1: members[random.pick(["extra", "vo2_max", "Steps", "date "])] = replacement(of: .null)
    case 2: members[key] = replacement(of: value)
    default: members[key] = members[key].map { change($0) }
    }
    return .object(members)
  }

  private mutating func replacement(of value: JSONValue) -> JSONValue {
    if random.chance(4) { return random.pick(Self.anything) }
    switch value {
    case .string(let text): return .string(string(like: text))
    case .number, .null: return random.pick(Self.numbers)
    default: return random.pick(Self.anything)
    }
  }

  private mutating func string(like text: String) -> String {
    if random.chance(2) { return random.pick(Self.texts) }
    var bytes = Array(text.utf8)
    let place = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where place < bytes.count: bytes.remove(at: place)
    case 1: bytes.insert(random.pick(Array("0T:-+Z.a\n ".utf8)), at: place)
    case 2: return text.lowercased()
    case 3: return text + random.pick(["\n", " ", "\u{661}", "Z", "0"])
    default:
      if place < bytes.count { bytes[place] = random.pick(Array("0123459T:-+Z.aAfG".utf8)) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let anything: [JSONValue] = [
    .null, .bool(true), .bool(false), .number(0), .number(-1), .string(""), .string("ok"),
    .array([]), .array([.number(1)]), .object([:]), .object(["a": .null]),
  ]

  private static let numbers: [JSONValue] = [
    .null, .number(0), .number(-0.0), .number(-0.001), .number(12), .number(0.5), .number(1e300),
    .number(-1e300), .number(99_999_999),
  ]

  private static let texts = [
    "ok", "no_data", "unauthorized", "unsupported", "OK", "nodata", "", "count", "kcal", "min",
    "hr",
    "bpm", "ms", "health.v0", "health.v1", "2026-02-08", "2026-02-30", "2026-13-01", "2026-00-10",
    "0000-01-01", "2026-2-8", "20260208", "2026-02-08T10:00:00Z", "2026-02-08T24:00:00Z",
    "2026-02-08T10:00:60Z", "2026-02-08T10:00:00.5Z", "2026-02-08T10:00:00.1234567890Z",
    "2026-02-08T10:00:00.Z", "2026-02-08T10:00:00+00:00", "2026-02-08t10:00:00z",
    "2026-02-08 10:00:00Z", "2026-02-29T10:00:00Z", "2026-02-08T00:00:00-08:00",
    "2026-02-08T00:00:00-00:00", "2026-02-08T00:00:00+24:00", "2026-02-08T00:00:00-08",
    "2026-02-08T00:00:00-0800", "2026-02-08T00:00:00+00:19:32", "2026-02-08T00:00:00-08:60",
    "2026-02-08T00:00:00.000-08:00", "2026-02-31T00:00:00-08:00", "2026-02-08T00:00:00Z",
    "America/Los_Angeles", "UTC", "PST", "GMT+5", "Mars/Olympus",
    "Europe/São_Paulo", "Europe/Berlin\n", "Europe Berlin", "Etc/GMT+5",
    String(repeating: "A", count: 64), String(repeating: "A", count: 65),
    "4E0A0B4E-2E08-4B63-9B50-8E3F6F8A1F1F", "4e0a0b4e-2e08-4b63-9b50-8e3f6f8a1f1f",
    "4E0A0B4E2E084B639B508E3F6F8A1F1F", "{4E0A0B4E-2E08-4B63-9B50-8E3F6F8A1F1F}",
    "4E0A0B4E-2E08-4B63-9B50-8E3F6F8A1F1G", "4E0A0B4-E2E08-4B63-9B50-8E3F6F8A1F1F",
    "20260208T100000Z-7F3A2C", "20260208T100000Z-7F3A2", "20260208T100000Z-7f3a2c",
    "20260230T100000Z-7F3A2C", "20260208T100000Z-" + String(repeating: "a", count: 233),
    "20260208T100000Z-" + String(repeating: "A", count: 234), "20260208T250000Z-7F3A2C",
    "20260208t100000z-7F3A2C", "Europe/Berlin\n", "Europe / Berlin",
    String(repeating: "Z", count: 64), String(repeating: "Z", count: 65),
    "revisions/20260208T100000Z-7F3A2C.json", "revisions/20260208T100000Z-7F3A2D.json",
    "revisions/20260230T100000Z-7F3A2C.json", "/revisions/20260208T100000Z-7F3A2C.json",
    "revisions/../revisions/20260208T100000Z-7F3A2C.json", "revisions/.json", "１",
  ]
}
