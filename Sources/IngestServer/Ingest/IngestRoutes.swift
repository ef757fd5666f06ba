import Digests
import HealthModel
import HealthStreams

/// `/api/ingest`: batches of the three streams, as document 003 sends them (R46, R54).
enum IngestRoutes {
  static let path = "/api/ingest"

  static func routes(_ hub: Hub) -> [Route] {
    [
      // How an app verifies the server and its token.
      Route(.get, path, for: .ingest) { _ in Answer(204) },
      Route(.post, path, for: .ingest) { (request) async throws(RequestFailure) in
        try await receive(request, hub)
      },
    ]
  }

  private static func receive(
    _ request: AuthenticatedRequest, _ hub: Hub
  ) async throws(RequestFailure) -> Answer {
    let ingest: ReceivedBatch
    do throws(IngestRefusal) {
      ingest = try ReceivedBatch(parsing: request.body)
    } catch {
      throw RequestFailure(error)
    }
    guard ingest.deviceID == request.device.deviceID else {
      throw RequestFailure(
        403, "wrong_device", "the token is another device's",
        faults: [
          .init(
            code: "wrong_device", pointer: "/device_id",
            message: "\"device_id\" is not that of the token, \(request.device.deviceID)")
        ])
    }
    // Each date is an object to store and a day to derive. The sender halves the batch.
    let dates = ingest.dateCount
    guard dates <= hub.limits.datesPerBatch else {
      throw RequestFailure(
        413, "too_many_dates",
        "the batch has entries of \(dates) dates, more than \(hub.limits.datesPerBatch)")
    }
    // An app without sessions sends the same again within minutes, and a value that comes back
    // later (rule 9).
    let batch = ingest.sealed(
      session: "received \("\(request.receivedAt)".prefix(13))", digest: SHA256.hex)
    let receipt = try await hub.receive(batch, feed: "outbox", at: request.receivedAt)
    var answer = Answer(
      200,
      json: .object([
        "received": .number(Double(batch.recordCount)),
        "stream_key": .string(receipt.parts.first?.key.rawValue ?? ""),
      ]))
    answer.received = batch.recordCount
    return answer
  }
}

extension RequestFailure {
  /// A body that is not a batch.
  init(_ refusal: IngestRefusal) {
    let isTooLarge = refusal.faults.contains {
      $0.code == .tooLarge && ["", "/data"].contains($0.pointer)
    }
    let count = refusal.count
    self.init(
      isTooLarge ? 413 : 400, isTooLarge ? "too_large" : "invalid_batch",
      "the body is not a valid batch: \(count) \(count == 1 ? "fault" : "faults")",
      faults: refusal.faults.map {
        Fault(code: $0.code.rawValue, pointer: $0.pointer, message: $0.message)
      })
  }
}
