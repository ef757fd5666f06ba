import Foundation
import HTTPClient
import StoreTesting
import TestSupport
import Testing

@testable import CurlTransport

@Suite(.unit) struct HTTPProxyTests {
  private func chosen(_ url: String, _ variables: [String: String]) -> HTTPProxy? {
    HTTPProxy.chosen(for: url) { variables[$0] }
  }

  @Test func `the variable is that of libcurl, the small one first`() {
    let https = "https://h.example/"
    #expect(chosen(https, ["HTTPS_PROXY": "http://p:1"])?.description == "http://p:1 (HTTPS_PROXY)")
    #expect(
      chosen(https, ["HTTPS_PROXY": "a:1", "https_proxy": "b:2"])?.address == "http://b:2")
    #expect(chosen(https, ["https_proxy": "", "ALL_PROXY": "c"])?.variable == "ALL_PROXY")
    #expect(chosen("http://h.example/", ["HTTP_PROXY": "p:1"]) == nil)
    #expect(chosen("http://h.example/", ["http_proxy": "p:1"])?.address == "http://p:1")
    #expect(chosen("http://127.0.0.1:9/", ["http_proxy": "p:1"]) == nil)
  }

  @Test(arguments: [
    ("h.example", "example", true), ("h.example", ".example", true), ("h.example", "*", true),
    ("h.example", "other, h.example", true), ("h.example", "ample", false), ("example", "", false),
    ("10.1.2.3", "10.0.0.0/8", true), ("10.1.2.3", "10.1.2.4", false),
    ("[fd00::1]", "fd00::/16", true),
    ("11.1.2.3", "10.0.0.0/8", false), ("H.Example.", "h.example", true),
    ("10.1.2.3", "10.0.0.0/99", false),
  ])
  func `NO_PROXY names hosts, domains and networks`(host: String, list: String, isDirect: Bool) {
    let proxy = chosen("http://\(host):9/", ["http_proxy": "p:1", "NO_PROXY": list])
    #expect((proxy == nil) == isDirect)
  }

  @Test(arguments: [
    ("http://u:secret@p:3128", "http://p:3128"), ("u:secret@p", "http://p"),
    ("socks5h://u:s@[::1]:1080/", "socks5h://[::1]:1080"), ("ftp://u:secret@p", nil),
    ("http://u:se/cret@p", nil), ("http://secret/x", nil), ("http://u:se@cret@p", nil),
  ])
  func `the address is shown without user information, or not at all`(
    value: String, address: String?
  ) {
    #expect(chosen("https://h/", ["https_proxy": value])?.address == address)
  }
}

@Suite(.unit) struct UserInformationTests {
  private func hidden(_ text: String, _ proxies: String...) -> String {
    String(
      decoding: UserInformation(proxies.map { Array($0.utf8) }).hidden(in: Array(text.utf8)),
      as: UTF8.self)
  }

  @Test(arguments: [
    (
      "Unsupported proxy scheme for 'ftp://u:secret@h'",
      "Unsupported proxy scheme for 'ftp://(hidden)@h'"
    ),
    ("proxy u:secret@h:1 failed", "proxy (hidden)@h:1 failed"),
    ("u%3As%40cret@h", "(hidden)@h"), ("no user here", "no user here"), ("", ""),
    ("a  b ", "a  b "),
  ])
  func `what looks like user information is hidden`(text: String, expected: String) {
    #expect(hidden(text) == expected)
  }

  @Test func `parts of a known address are hidden wherever they stand, cut and decoded too`() {
    let proxy = "http://user:p%40ss%2Fword@proxy:3128"
    for text in [
      "Port 'p%40ss%2Fword'", "p@ss/word", "user:p%40ss%2Fword", "'http://user:p%40ss%2",
    ] {
      let shown = hidden(text, proxy)
      #expect(!shown.contains("p%40s") && !shown.contains("p@ss"), "\(shown)")
    }
  }

  @Test func `a secret that is part of the mark ends`() {
    #expect(hidden("hidden", "http://u:hidden@h") == "(hidden)")
  }

  /// The real libcurl, many random proxies: refused, unresolvable, of no scheme, or no address.
  @Test func `no failure of a random proxy shows its password (R40)`() async throws {
    await #expect(processExitsWith: .success) {
      var random = SplitMix64(seed: 11)
      let letters = Array("abXY09-._~!$&'()*+,;=:%/?#@ \\\"é|^`{}[]<>")
      let hosts = [
        "127.0.0.1:1", "p.invalid", "127.0.0.1", "[::1", "", "127.0.0.1:99999", "a b", "h:x", "::",
      ]
      let transport = CurlTransport()
      var failures = 0
      for round in 0..<120 {
        let junk = String(
          (0..<Int.random(in: 0...8, using: &random)).map { _ in
            letters.randomElement(using: &random) ?? "x"
          })
        let secret = "s3cr\(round)tT0k\(junk)en"
        let scheme =
          ["http://", "https://", "socks5://", "ftp://", "", "x:", "http:/"]
          .randomElement(using: &random) ?? ""
        let host = hosts.randomElement(using: &random) ?? ""
        let long = round % 7 == 0 ? String(repeating: "l", count: 250) : ""
        setenv("http_proxy", "\(scheme)us\(long)er:\(secret)@\(host)", 1)
        let error = await transport.failure(
          of: HTTPRequest(.get, "http://bucket.invalid/k", timeout: .seconds(2)))
        guard let error else { continue }
        failures += 1
        #expect(!error.message.contains("s3cr\(round)"), "\(error)")
        #expect(!error.message.contains("T0k"), "\(error)")
      }
      #expect(failures > 100)
    }
  }
}
