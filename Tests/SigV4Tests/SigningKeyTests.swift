import Digests
import SigV4
import Testing

@Suite(.unit) struct SigningKeys {
  @Test func `a signer in use signs as a fresh one, whatever it has cached`() {
    let shared = SigV4Signer(region: "us-east-1")
    let request = SigningRequest(
      method: "GET", path: "/k", headers: [("host", "h")], payloadHash: SHA256.hex([]))
    var signatures: Set<String> = []
    for round in 0..<3 {
      for day in 0..<5 {
        for secret in ["a", "b", "c"] {
          let credentials = SigningCredentials(accessKeyID: "id", secretAccessKey: secret)
          let seconds = day * 86400 + 3600 + round
          let one = shared.sign(request, credentials: credentials, secondsSince1970: seconds)
          let two = SigV4Signer(region: "us-east-1").sign(
            request, credentials: credentials, secondsSince1970: seconds)
          #expect(one.last?.value == two.last?.value)
          signatures.insert(one.last?.value ?? "")
        }
      }
    }
    #expect(signatures.count == 45)
  }

  @Test func `a copy for another region does not take over a key`() {
    let request = SigningRequest(
      method: "GET", path: "/", headers: [("host", "h")], payloadHash: SHA256.hex([]))
    let credentials = SigningCredentials(accessKeyID: "id", secretAccessKey: "s")
    let authorizations = ["us-east-1", "eu-west-1"].flatMap { region in
      ["s3", "sts"].map { service in
        SigV4Signer(region: region, service: service).sign(
          request, credentials: credentials, secondsSince1970: 0
        ).last?.value
      }
    }
    #expect(Set(authorizations).count == 4)
  }

  @Test(arguments: [
    (0, "19700101T000000Z"), (951_782_400, "20000229T000000Z"), (951_868_799, "20000229T235959Z"),
    (1_440_938_160, "20150830T123600Z"), (4_107_542_399, "21000228T235959Z"),
    (4_107_542_400, "21000301T000000Z"), (-1, "19691231T235959Z"),
  ])
  func `times are written in UTC`(seconds: Int, written: String) {
    let request = SigningRequest(
      method: "GET", path: "/", headers: [("host", "h")], payloadHash: SHA256.hex([]))
    let headers = SigV4Signer(region: "r").sign(
      request, credentials: SigningCredentials(accessKeyID: "i", secretAccessKey: "s"),
      secondsSince1970: seconds)
    #expect(headers.first?.value == written)
  }
}
