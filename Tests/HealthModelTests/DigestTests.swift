import StoreTesting
import TestSupport
import Testing

@testable import HealthModel

/// R60: a revision shows whether it is what was written.
@Suite(.process) struct DigestTests {
  private func digest(of bytes: [UInt8]) throws -> String {
    try #require(try JSONValue(parsing: bytes)["digest"]?.stringValue)
  }

  @Test func `R60 what is written has the digest that Python computes of its other members`()
    async throws
  {
    var random = SplitMix64(seed: 60)
    var documents: [[UInt8]] = []
    for round in 0..<300 {
      var revision = try Sample.revision()
      for metric in DailyMetric.required where random.chance(2) {
        revision.readings[metric] = .value(
          Double(Int.random(in: 0...9_999_999, using: &random)) / 8)
      }
      if random.chance(2) { revision.capturedAt = Timestamp(secondsSince1970: round) }
      if random.chance(2) { revision.readings.optional = [.weight: 80.25] }
      if random.chance(3) { revision.unknownMembers = ["app": .string("größer \u{1F600}")] }
      documents.append(revision.encoded)
    }
    let answers = try await PeerPython.run(
      "document_digest.py", input: Array(documents.map { $0 + [UInt8(ascii: "\n")] }.joined()))
    let digests = String(decoding: answers, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(try documents.map(digest(of:)) == digests)
  }

  @Test func `R60 no other digit, letter or word goes unseen, and none of them hides the day`()
    throws
  {
    let bytes = try Sample.revision().encoded
    var seen = 0
    for place in bytes.indices where Digits.value(bytes[place...place]) != nil {
      var damaged = bytes
      damaged[place] = bytes[place] == UInt8(ascii: "9") ? UInt8(ascii: "8") : bytes[place] + 1
      let decoded = DailyRevision.decode(damaged)
      #expect(!decoded.violations.isEmpty, "\(place)")
      guard decoded.violations.map(\.code) == ["digest_differs"] else { continue }
      #expect(decoded.revision != nil && decoded.isDamaged)
      seen += 1
    }
    #expect(seen > 80)
    let text = String(decoding: bytes, as: UTF8.self)
    for (old, new) in [("Los_Angeles", "Los_Angelez"), ("\"ok\"", "\"no\""), ("1250", "null")] {
      let decoded = DailyRevision.decode(Array(text.replacing(old, with: new).utf8))
      #expect(decoded.violations.contains { $0.code == "digest_differs" }, "\(new)")
    }
  }

  @Test func `R60 the digest is of the document's values, however they are written`() throws {
    let bytes = try Sample.revision().encoded
    guard case .object(let members) = try JSONValue(parsing: bytes) else { return }
    let loose = members.sorted { $0.key > $1.key }.map { key, value in
      " \"\(key)\" : " + String(decoding: value.canonicalBytes, as: UTF8.self)
    }
    let text = "{\(loose.joined(separator: ",\n"))}".replacing("450.5", with: "4505e-1")
    #expect(DailyRevision.decode(Array(text.utf8)).violations == [])
  }

  @Test func `R60 a document without a digest breaks no rule`() throws {
    guard case .object(var members) = try JSONValue(parsing: Sample.revision().encoded) else {
      return
    }
    members["digest"] = nil
    let decoded = DailyRevision.decode(JSONValue.object(members).canonicalBytes)
    #expect(decoded.violations == [] && decoded.notes == [] && !decoded.isDamaged)
    #expect(decoded.revision?.payload == (try Sample.revision().payload))
  }

  @Test(arguments: [
    "", "sha256:", "md5:\(String(repeating: "0", count: 64))",
    "sha256:\(String(repeating: "A", count: 64))", "sha256:\(String(repeating: "0", count: 65))",
  ])
  func `R60 another form of digest is a violation, and hides nothing`(text: String) throws {
    guard case .object(var members) = try JSONValue(parsing: Sample.revision().encoded) else {
      return
    }
    members["digest"] = .string(text)
    var decoded = DailyRevision.decode(JSONValue.object(members).canonicalBytes)
    #expect(decoded.violations.map(\.code) == ["bad_digest"] && decoded.revision != nil)
    members["digest"] = .number(1)
    decoded = DailyRevision.decode(JSONValue.object(members).canonicalBytes)
    #expect(decoded.violations.map(\.code) == ["wrong_type"] && decoded.revision != nil)
  }

  @Test func `R60 a digest that a caller puts among unknown members is never written`() throws {
    var revision = try Sample.revision()
    revision.unknownMembers = ["digest": .string("sha256:0"), "app": .null]
    #expect(revision.violations == [])
    #expect(!String(decoding: revision.payload, as: UTF8.self).contains("digest"))
  }
}
