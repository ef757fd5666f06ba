import Foundation
import SigV4
import Testing

@Suite(.unit) struct SigningSuite {
  @Test func `the suite has its thirty cases`() {
    #expect(SuiteCase.all.count == 30)
  }

  @Test(arguments: SuiteCase.all)
  func `the header form agrees at every stage`(_ test: SuiteCase) throws {
    let (signer, credentials) = (test.signer, test.credentials)
    #expect(
      try signer.canonicalRequest(
        test.request, credentials: credentials, secondsSince1970: test.seconds, form: .headers)
        == test.expected("header-canonical-request"))
    #expect(
      try signer.stringToSign(
        test.request, credentials: credentials, secondsSince1970: test.seconds, form: .headers)
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

  @Test(arguments: SuiteCase.all)
  func `the query form agrees at every stage`(_ test: SuiteCase) throws {
    let (signer, credentials) = (test.signer, test.credentials)
    let form = SigningForm.query(expiresInSeconds: test.context.expirationInSeconds)
    #expect(
      try signer.canonicalRequest(
        test.request, credentials: credentials, secondsSince1970: test.seconds, form: form)
        == test.expected("query-canonical-request"))
    #expect(
      try signer.stringToSign(
        test.request, credentials: credentials, secondsSince1970: test.seconds, form: form)
        == test.expected("query-string-to-sign"))
    let query = signer.presignedQuery(
      test.request, credentials: credentials, secondsSince1970: test.seconds,
      expiresInSeconds: test.context.expirationInSeconds)
    #expect(try query.hasSuffix("&X-Amz-Signature=" + test.expected("query-signature")))

    let target = try #require(test.expected("query-signed-request").split(separator: "\n").first)
    let sent = try #require(target.split(separator: "?").last).dropLast(" HTTP/1.1".count)
    let parameters = sent.split(separator: "&").map { parameter in
      parameter.hasPrefix("ሴ=") ? "%E1%88%B4=bar" : String(parameter)
    }
    #expect(query.split(separator: "&").map(String.init).sorted() == parameters.sorted())
  }

  @Test func `a token that is not signed is still sent`() {
    let signer = SigV4Signer(region: "r", signsSessionToken: false)
    let credentials = SigningCredentials(
      accessKeyID: "a", secretAccessKey: "b", sessionToken: "t/1")
    let request = SigningRequest(
      method: "GET", path: "/", headers: [("host", "h")],
      payloadHash: SigningRequest.unsignedPayload)
    let headers = signer.sign(request, credentials: credentials, secondsSince1970: 0)
    #expect(headers.contains { $0 == ("x-amz-security-token", "t/1") })
    #expect(headers.last?.value.contains("x-amz-security-token") == false)
    #expect(
      signer.presignedQuery(
        request, credentials: credentials, secondsSince1970: 0, expiresInSeconds: 1
      ).contains("&X-Amz-Security-Token=t%2F1&X-Amz-Signature="))
  }
}
