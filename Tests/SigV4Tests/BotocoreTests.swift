import Foundation
import SigV4
import TestSupport
import Testing

@Suite(.process) struct BotocoreAgreement {
  @Test func `botocore signs 8,000 random requests as we do`() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var source = RandomSigningCases(seed: seed)
    let cases = (0..<8000).map { _ in source.next() }
    let encoder = JSONEncoder()
    let lines = try cases.map { try encoder.encode($0.0) }.joined(separator: [10])
    let output = try await PeerPython.run("botocore_sign.py", input: Array(lines))
    let decoder = JSONDecoder()
    let answers = try output.split(separator: 10).map {
      try decoder.decode(SigningAnswer.self, from: Data($0))
    }
    #expect(answers.count == cases.count)

    var disagreements = 0
    for ((signingCase, body), answer) in zip(cases, answers) {
      guard let difference = Self.difference(signingCase, body, answer) else { continue }
      disagreements += 1
      if disagreements <= 5 { Issue.record("seed \(seed): \(difference) of \(signingCase)") }
    }
    #expect(disagreements == 0, "seed \(seed)")
  }

  /// What the two do not agree on, if anything.
  private static func difference(
    _ signingCase: SigningCase, _ body: [UInt8], _ answer: SigningAnswer
  ) -> String? {
    let signer = SigV4Signer(region: signingCase.region)
    let request = signingCase.request(body: body)
    let (credentials, seconds) = (signingCase.credentials, signingCase.seconds)
    let canonical = signer.canonicalRequest(
      request, credentials: credentials, secondsSince1970: seconds)
    guard canonical.utf8.elementsEqual(answer.canonicalRequest.utf8) else {
      return "canonical request\n\(canonical)\nbotocore's:\n\(answer.canonicalRequest)\n"
    }
    let toSign = signer.stringToSign(
      request, credentials: credentials, secondsSince1970: seconds)
    guard toSign == answer.stringToSign else { return "string to sign \(toSign)" }

    let headers = signer.sign(request, credentials: credentials, secondsSince1970: seconds)
    guard
      Dictionary(headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        == answer.headers
    else { return "headers \(headers), botocore's \(answer.headers)" }
    let sent = signingCase.query.map { (name: $0[0] ?? "", value: $0[1]) }
    guard
      SigV4Signer.encodedQuery(sent).split(separator: "&").sorted()
        == answer.query.split(separator: "&").sorted(),
      canonical.split(separator: "\n", omittingEmptySubsequences: false)[1]
        == SigV4Signer.encodedPath(signingCase.path)
    else { return "what is sent" }
    return nil
  }
}
