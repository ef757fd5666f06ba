import HealthModel
import StoreTesting
import Testing

@testable import IngestServer

/// Who is signed in, by cookies that the server does not keep.
@Suite(.unit) struct DashboardSessionTests {
  private static let now = Timestamp(secondsSince1970: 1_770_811_200)

  private func token(_ name: String, _ endpoints: Set<Endpoint> = [.dashboard]) -> AccessToken {
    AccessToken(name, endpoints)
  }

  private func table(_ tokens: AccessToken...) -> TokenTable { TokenTable(tokens) }

  @Test func `R59: a session holds for its time with its token, in any instance`() {
    let me = token("me.1-a_b")
    let session = Session(of: me.name, at: Self.now)
    let cookie = session.cookie(me)
    let all = table(token("other"), me)
    #expect(Session.valid(cookie, all, at: Self.now)?.session == session)
    #expect(Session.valid(cookie, all, at: session.expires.adding(seconds: -1)) != nil)
    #expect(Session.valid(cookie, all, at: session.expires) == nil)
    #expect(cookie.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !Array("\";,\\".utf8).contains($0) })
    #expect(session.formKey(me) != Session(of: me.name, at: Self.now).formKey(me))
  }

  @Test func `R59: the session goes with the token or its scope, and stays gone`() {
    let me = token("me")
    let cookie = Session(of: "me", at: Self.now).cookie(me)
    #expect(Session.valid(cookie, table(token("other")), at: Self.now) == nil)
    #expect(Session.valid(cookie, table(token("me")), at: Self.now) == nil)
    let narrowed = AccessToken(
      device: .init(name: "me", endpoints: [.ingest], deviceID: me.device.deviceID),
      digest: me.digest, createdAt: me.createdAt)
    #expect(Session.valid(cookie, table(narrowed), at: Self.now) == nil)
  }

  @Test func `R59: a cookie with any byte changed, or made up, is refused`() {
    let me = token("me")
    let all = table(me)
    let session = Session(of: "me", at: Self.now)
    let cookie = Array(session.cookie(me).utf8)
    var random = SplitMix64(seed: 59)
    for place in cookie.indices {
      var changed = cookie
      changed[place] ^= UInt8.random(in: 1...127, using: &random)
      let text = String(decoding: changed, as: UTF8.self)
      #expect(Session.valid(text, all, at: Self.now) == nil, "\(text)")
    }
    // A session that nobody was given: longer than any is made.
    let longer = Session(
      name: "me", id: session.id, expires: Self.now.adding(seconds: 10 * Session.lifetime))
    #expect(Session.valid(longer.cookie(me), all, at: Self.now) == nil)
    for text in ["", ":", ":::", "me:::", "me:a:b:c", String(repeating: "a", count: 5000)] {
      #expect(Session.valid(text, all, at: Self.now) == nil)
    }
  }

  @Test func `R59: over https the cookie is bound to the host and never sent in the clear`() {
    let secure = SessionCookie.setting("v", isSecure: true).value
    #expect(
      secure == "__Host-s3healthd=v; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure")
    #expect(
      SessionCookie.clearing(isSecure: false).value
        == "s3healthd=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict")
  }

  @Test(
    arguments: [
      (nil, nil, false), ("same-origin", nil, false), ("none", nil, false),
      ("same-origin", "null", false), ("cross-site", nil, true), ("same-site", nil, true),
      ("cross-site", "https://hub:8443", true), (nil, "https://hub:8443", false),
      (nil, "HTTPS://HUB:8443", false), (nil, "https://hub", true), (nil, "null", true),
      (nil, "https://hub:8443.evil.org", true), (nil, "https://evil.org", true), (nil, "", true),
    ] as [(String?, String?, Bool)])
  func `R59: a form of another site's page is recognised by what browsers say`(
    site: String?, origin: String?, isForeign: Bool
  ) {
    #expect(PageRequest.isForeign(site: site, origin: origin, host: "hub:8443") == isForeign)
  }

  @Test func `R59: of a form the first value of a name counts, no broken text`() {
    #expect(
      FormText.fields("a=1&b=two+words%21&a=3&c&%C3%A9=%c3%A9&bad=%4&worse=%FF&=x".utf8)
        == ["a": "1", "b": "two words!", "c": "", "é": "é", "": "x"])
    #expect(FormText.fields("".utf8) == [:])
    let many = (0..<1000).map { "n\($0)=1" }.joined(separator: "&")
    #expect(FormText.fields(many.utf8).count == 32)
  }

  @Test func `R59: wrong tokens make their network wait, and few are remembered`() {
    var attempts = SignInAttempts()
    for _ in 0..<10 {
      #expect(attempts.wait("2001:db8::1", at: 5) == nil)
      attempts.failed("2001:db8::1", at: 5)
    }
    #expect(attempts.wait("2001:db8:0:0:ffff::9", at: 5) == 6)
    #expect(attempts.wait("2001:db8:0:1::1", at: 5) == nil)
    #expect(attempts.wait("192.0.2.1", at: 5) == nil)
    #expect(attempts.wait("2001:db8::1", at: 11) == nil)
    // Who goes on is not let in later for it.
    for _ in 0..<100 { attempts.failed("2001:db8::1", at: 12) }
    #expect(attempts.wait("2001:db8::1", at: 12) == 6)
    for number in 0..<5000 { attempts.failed("192.0.\(number / 256).\(number % 256)", at: 12) }
    #expect(attempts.wait("2001:db8::1", at: 12) != nil, "many others do not push it out")
  }
}
