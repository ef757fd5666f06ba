import HTTPMessage
import HealthStreams
import IngestClient
import Testing

/// What a server's answer says to the person who reads the failure.
@Suite struct IngestAnswerTests {
  private func failure(_ status: Int, _ body: String) throws -> DeliveryFailure {
    let response = HTTPResponse(status: status, headers: [], body: Array(body.utf8))
    guard case .failed(let failure) = IngestAnswer(response, from: "hub").result(of: 7) else {
      throw Confirmed()
    }
    return failure
  }

  private struct Confirmed: Error {}

  @Test func `R46: a server that names the fault in JSON is quoted with its own words`() throws {
    let other = try failure(
      403,
      #"{"error":{"code":"wrong_device","faults":[{"message":"it is not that of the token"}]}}"#)
    #expect(other.kind == .unauthorized)
    #expect(
      other.message == "hub refused the device token with 403: \"it is not that of the token\"")
    #expect(
      try failure(400, #"{"error":{"message":"no room"}}"#).message.hasSuffix(": \"no room\""))
    #expect(try failure(500, #"{"error":"no disk"}"#).message.hasSuffix("500: \"no disk\""))
    #expect(try failure(500, #"{"oops":1}"#).message.hasSuffix("500: \"{ oops :1}\""))
    #expect(try failure(500, "boom\u{1B}[31m").message.hasSuffix("500: \"boom [31m\""))
    // What refuses a token may repeat it.
    #expect(try failure(401, "no: s3h_1").message == "hub refused the device token with 401")
  }
}
