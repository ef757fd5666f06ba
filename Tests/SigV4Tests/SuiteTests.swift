import Digests
import Foundation
import SigV4
import Testing

@Suite(.unit) struct SigningSuite {
  @Test func `the suite has its thirty cases`() {
    #expect(SuiteCase.all.count == 30)
  }

  @Test(arguments: SuiteCase.all)
  func `signatures agree at every stage`(_ test: SuiteCase) throws {
    let (signer, credentials) = (test.signer, test.credentials)
    #expect(
      try signer.canonicalRequest(
        test.request, credentials: credentials, secondsSince1970: test.seconds)
        == test.expected("header-canonical-request"))
    #expect(
      try signer.stringToSign(
        test.request, credentials: credentials, secondsSince1970: test.seconds)
        == test.expected("header-string-to-sign"))
    let added = signer.sign(
      test.request, credentials: credentials, secondsSince1970: test.seconds)
    let authorization = try #require(added.last)
    #expect(authorization.name == "authorization")
    #expect(
      try authorization.value.hasSuffix("Signature=" + test.expected("header-signature")))

    let signed = try test.expected("header-signed-request").split(separator: "\n")
    for header in added {
      #expect(signed.contains { $0.dropFirst(header.name.count + 1) == header.value })
    }
  }

  @Test func `a token that is not signed is still sent`() {
    let signer = SigV4Signer(region: "r", signsSessionToken: false)
    let credentials = SigningCredentials(
      accessKeyID: "a", secretAccessKey: "b", sessionToken: "t/1")
    let request = SigningRequest(
      method: "GET", path: "/", headers: [("host", "h")],
      payloadHash: SHA256.hex([]))
    let headers = signer.sign(request, credentials: credentials, secondsSince1970: 0)
    #expect(headers.contains { $0 == ("x-amz-security-token", "t/1") })
    #expect(headers.last?.value.contains("x-amz-security-token") == false)
  }
}
