import HTTPClient
import HealthModel
import HealthStreams
import Outbox
import Testing

/// What a server's answer says to the person who reads the failure.
@Suite(.unit) struct IngestAnswerTests {
  private func failure(_ status: Int, _ body: String) throws -> DeliveryFailure {
    let response = HTTPResponse(status: status, headers: [], body: Array(body.utf8))
    guard case .failed(let failure) = IngestAnswer(response, from: "hub").result(of: 7) else {
      throw Confirmed()
    }
    return failure
  }

  private struct Confirmed: Error {}

  @Test func `R46: a refusal with 403 names the device that a token is needed for`() throws {
    let device = "9e1d3c97-4340-452e-a7f8-2eb602f4ef03"
    let entry = try StreamEntry(
      JSONValue(
        parsing: Array(
          #"{"timestamp":"2025-01-30T10:00:00Z","sample_type":"X","value":1,"unit":"bpm"}"#.utf8)),
      of: .healthKit)
    let batch = try SealedBatch(
      sealing: [entry], of: .healthKit, deviceID: device, session: "s", appVersion: "1")
    let answer = IngestAnswer(HTTPResponse(status: 403, headers: [], body: []), from: "hub")
    #expect(
      answer.result(for: batch)
        == .failed(
          DeliveryFailure(
            .unauthorized,
            "hub refused the device token with 403; the batch is of the device \(device)")))
  }

  @Test func `R46: a 2xx that sets entries aside does not confirm, so that none goes silently`()
    throws
  {
    let aside = try failure(
      200,
      #"{"received":1,"refused":[{"index":0,"message":"\"altitude\" is missing"}]}"#)
    #expect(aside.kind == .refused)
    #expect(aside.message.contains("altitude"))
  }

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
