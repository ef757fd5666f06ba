import Foundation
import Gzip
import HealthModel
import HealthStreams
import TestSupport
import Testing

@testable import IngestServer

/// Further pages and ways in (R59).
extension DashboardRouteTests {
  @Test func `R59: pages and files are packed; sign-in and what agents see never`() async throws {
    let trial = try await HubTrial()
    let token = try await trial.token(for: "dashboard")
    let cookie = try await signIn(trial.hub.url, token).cookie
    let takes = ["--cookie", cookie, "--compressed"]
    for path in [
      "/", "/?span=year", "/day/2026-02-08", "/metric/steps?span=all", "/status", "/dashboard.css",
      "/dashboard.js", "/openapi.json",
    ] {
      let packed = try await trial.ask(path, arguments: takes)
      let plain = try await trial.ask(path, arguments: ["--cookie", cookie])
      #expect(packed.headers["content-encoding"] == "gzip", "\(path)")
      #expect(plain.headers["content-encoding"] == nil, "\(path)")
      for answer in [packed, plain] {
        #expect(answer.headers["vary"] == "Accept-Encoding", "\(path)")
        #expect(answer.status == 200)
      }
      let length = try #require(packed.headers["content-length"].flatMap { Int($0) })
      #expect(length < plain.body.utf8.count, "\(path)")
      if path.hasPrefix("/dashboard.") { #expect(packed.body == plain.body) }
    }
    for path in [
      "/sign-in?to=%2Fmetric%2Fsteps", "/authorize?client_id=a&state=guess", "/dashboard.png",
      "/readyz", "/api/ingest/nothing",
    ] {
      let answer = try await trial.ask(path, arguments: takes)
      #expect(answer.headers["content-encoding"] == nil, "\(path)")
    }
    // The key of the forms is another text in each page, and each is taken.
    var keys: Set<String> = []
    for _ in 0..<3 {
      let page = try await trial.ask("/status", arguments: takes)
      let key = try page.formKey
      keys.insert(key)
      let answer = try await trial.ask(
        "/sync", body: "form_key=\(key)", arguments: takes + ["--header", Self.form])
      #expect(answer.status == 303)
    }
    #expect(keys.count == 3)
  }

  @Test func `R59: a payload's workout and night stand on the page of their day`() async throws {
    let trial = try await HubTrial(arguments: ["--timezone", "UTC"])
    let sender = try await HubProgram.token(
      "export", trial.program, arguments: ["--endpoint", "health-auto-export"])
    let token = try await trial.token(for: "dashboard")
    let cookie = try await signIn(trial.hub.url, token).cookie
    let payload = """
      {"data":{"metrics":[{"name":"step_count","units":"count","data":\
      [{"date":"2026-02-08 00:00:00 +0000","qty":4321}]},\
      {"name":"sleep_analysis","units":"hr","data":[{"startDate":"2026-02-07 23:00:00 +0000",\
      "endDate":"2026-02-08 06:00:00 +0000","value":"Core","source":"Watch"}]}],\
      "workouts":[{"id":"1","name":"Outdoor <b>Run","start":"2026-02-08 07:00:00 +0000",\
      "end":"2026-02-08 07:30:00 +0000","distance":{"qty":5,"units":"km"}}]}}
      """
    #expect(try await trial.ask("/health-auto-export", token: sender, body: payload).status == 200)
    func page() async throws -> String {
      try await trial.ask("/day/2026-02-08", arguments: ["--cookie", cookie]).body
    }
    #expect(try await until { try await page().contains("4,321 steps") })
    let text = try await page()
    #expect(text.contains("Outdoor &lt;b&gt;Run") && text.contains("07:00 to 07:30"), "\(text)")
    #expect(text.contains("5.00 km") && text.contains("Asleep 7 h"))
  }

  @Test func `R59: over https the cookie is for https alone`() async throws {
    let tls = try await TLSTrial()
    let (url, trusted) = (tls.url, ["--cacert", tls.certificate])
    let token = try await HubProgram.token(
      "me", tls.program, arguments: ["--endpoint", "dashboard"])
    let (answer, cookie) = try await signIn(url, token, trusted)
    #expect(cookie.hasPrefix("__Host-s3healthd=me:"))
    #expect(answer.headers["set-cookie"]?.hasSuffix("; SameSite=Strict; Secure") == true)
    #expect(try await CurlAnswer(url + "/", trusted + ["--cookie", cookie]).status == 200)
    let plain = cookie.replacing("__Host-", with: "")
    #expect(
      try await CurlAnswer(url + "/", trusted + ["--cookie", plain]).status == 303,
      "a cookie that was not sent over https")
    try await tls.hub.end(by: SIGKILL)
  }
}

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
