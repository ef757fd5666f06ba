import Gzip
import HealthModel
import HealthStreams
import Testing

@testable import IngestServer

/// What of the server's answers is packed, and for whom.
@Suite(.unit) struct AnswerPackingTests {
  private static let text = [UInt8](repeating: 97, count: 4000)

  private func packed(_ answer: Answer, _ accepted: String...) -> Answer {
    AnswerPacking(compression: HubCompression()).answer(answer, to: accepted)
  }

  private func names(_ answer: Answer) -> [String] { answer.headers.map(\.name) }

  @Test(arguments: [
    ("gzip", true), ("gzip, deflate, br, zstd", true), ("br;q=1.0, GZIP ; q=0.1", true),
    ("*", true), ("x-gzip", true), ("*;q=0.5, gzip;q=0", false), ("gzip;q=0.000", false),
    ("gzip; q=x", false), ("br, identity", false), ("", false), ("*;q=0", false),
    ("gzipped", false),
  ]) func `R59: a client takes gzip if it says so`(accepted: String, takes: Bool) {
    #expect(AnswerPacking.takesGzip([accepted]) == takes)
    #expect(AnswerPacking.takesGzip(["br", accepted]) == takes)
  }

  @Test func `R59: only what may be packed is, whole, and caches keep both forms apart`() throws {
    let file = Answer(file: Self.text, type: "text/css")
    let answer = packed(file, "gzip")
    #expect(answer.body.count < 200)
    #expect(try HubCompression().gunzip(answer.body, limit: 10_000) == Self.text)
    #expect(names(answer).suffix(2) == ["Vary", "Content-Encoding"])
    #expect(packed(file, "br").body == Self.text && names(packed(file)).last == "Vary")
    let short = Answer(file: Array("a{}".utf8), type: "text/css")
    #expect(packed(short, "gzip").body == short.body && names(packed(short)).last == "Vary")
    for whole in [
      Answer(file: Self.text, type: "image/png"), Answer(200, bytes: Self.text, type: "text/html"),
      Answer(200, json: .string(String(decoding: Self.text, as: UTF8.self))),
    ] {
      #expect(packed(whole, "gzip") == whole)
    }
  }

  @Test func `R59: what can't be packed is sent as it is`() {
    struct Broken: BatchCompression {
      func gzip(_ pieces: [ArraySlice<UInt8>]) throws(BatchCompressionError) -> [UInt8] {
        throw .failed
      }
      func gunzip(_ bytes: [UInt8], limit: Int) throws(BatchCompressionError) -> [UInt8] { bytes }
    }
    let answer = AnswerPacking(compression: Broken()).answer(
      Answer(file: Self.text, type: "text/css"), to: ["gzip"])
    #expect(answer.body == Self.text && !names(answer).contains("Content-Encoding"))
  }

  @Test func `R59: the key of a form is another text in each page, and the same key`() {
    let key = String(repeating: "0f", count: 32)
    let masked = (0..<20).map { _ in MaskedKey.masked(key) }
    #expect(Set(masked).count == 20)
    #expect(masked.allSatisfy { $0.utf8.count == 128 && MaskedKey.key($0) == key })
    #expect(masked.allSatisfy { !$0.contains("0f0f0f0f0f") })
    #expect(MaskedKey.masked(key, mask: [UInt8](repeating: 0, count: 32)).hasSuffix(key))
    for text in ["", key, masked[0] + "0", String(masked[0].dropLast()) + "g", "é" + masked[0]] {
      #expect(MaskedKey.key(text) == nil)
    }
  }
}
