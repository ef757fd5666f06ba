import Digests
import HealthModel
import HealthStreams
import StreamDays

/// `/api/ingest`: batches of the three streams (R46, R54).
enum IngestRoutes {
  static let path = "/api/ingest"

  static func routes(_ hub: Hub) -> [Route] {
    [
      // How an app verifies the server and its token.
      Route(.get, path, for: .ingest) { _ in Answer(204) },
      Route(.post, path, for: .ingest, limit: hub.limits.ingestBytes) {
        (request) async throws(RequestFailure) in
        try await receive(request, hub)
      },
    ]
  }

  /// What a client says that wants all of its entries taken, or none (RFC 7240).
  private static let strictness = "handling=strict"

  private static func receive(
    _ request: AuthenticatedRequest, _ hub: Hub
  ) async throws(RequestFailure) -> Answer {
    let isStrict = (request.header("Prefer") ?? "").lowercased().split(separator: ",").contains {
      $0.filter { $0 != " " } == strictness
    }
    guard request.body.count <= SealedBatch.maximumBytes else {
      return try await OpenIngest(request, hub, isStrict: isStrict).answer()
    }
    let ingest: ReceivedBatch
    do throws(IngestRefusal) {
      ingest = try ReceivedBatch(parsing: request.body)
    } catch {
      // Not one batch as it stands: more than that, or with something in it that can't be used.
      return try await OpenIngest(request, hub, isStrict: isStrict).answer()
    }
    // Each date is an object to store and a day to derive: many of them go into several batches.
    guard ingest.dateCount <= hub.limits.datesPerBatch else {
      return try await OpenIngest(request, hub, isStrict: isStrict).answer()
    }
    try check(ingest.deviceID, request)
    let session = try session(request, of: ingest.stream)
    let batch = (consume ingest).sealed(session: session, digest: SHA256.hex)
    let receipt = try await hub.receive(batch, feed: feed, from: request)
    var unused = UnusedSamples()
    unused.take(batch, from: request)
    return answer(batch.recordCount, key: receipt.parts.first?.key.rawValue, unused)
  }

  /// Where entries come from that are sent as R46 says.
  static let feed = "outbox"

  static func answer(
    _ count: Int, key: String?, _ unused: UnusedSamples, refused: [JSONValue] = []
  ) -> Answer {
    var members: [String: JSONValue] = [
      "received": .number(Double(count)), "stream_key": .string(key ?? ""),
    ]
    if !refused.isEmpty { members["refused"] = .array(refused) }
    let words = unused.words
    if !words.isEmpty { members["left_out"] = .array(words.map { .string($0) }) }
    var answer = Answer(200, json: .object(members))
    (answer.counts.received, answer.counts.leftOut) = (count, unused.lost.words)
    return answer
  }

  static func check(
    _ deviceID: String, _ request: AuthenticatedRequest
  ) throws(RequestFailure) {
    guard deviceID == request.device.deviceID else {
      throw RequestFailure(
        403, "wrong_device", "the token is another device's",
        faults: [
          .init(
            code: "wrong_device", pointer: "/device_id",
            message: "\"device_id\" is not that of the token, \(request.device.deviceID)")
        ], remedy: .device)
    }
  }

  /// The session of a batch that brings none. `Idempotency-Key` names what is sent again. Without one
  /// a sample is news, because its value may come back; a point or a chunk never comes back, and is
  /// recognised by its content.
  static func session(
    _ request: AuthenticatedRequest, of stream: StreamName
  ) throws(RequestFailure) -> String {
    if let key = try request.idempotencyKey {
      let session = "key \(key)"
      return session.utf8.count <= 100 ? session : SHA256.hex(Array(session.utf8))
    }
    return stream == .healthKit ? "received \(request.order)" : "received"
  }
}

extension UnusedSamples {
  /// Takes a batch that a server has received; one of another stream has no samples.
  mutating func take(_ batch: SealedBatch, from request: AuthenticatedRequest) {
    if let samples = batch.samples(feed: IngestRoutes.feed, order: request.order) { take(samples) }
  }
}

extension RequestFailure {
  /// A body that is not a batch, or not records.
  init(
    _ refusal: IngestRefusal, code: String = "invalid_batch", isNot what: String = "a valid batch"
  ) {
    let isTooLarge = refusal.faults.contains {
      $0.code == .tooManyRecords || $0.code == .tooLarge && ["", "/data"].contains($0.pointer)
    }
    let count = refusal.count
    self.init(
      isTooLarge ? 413 : 400, isTooLarge ? "too_large" : code,
      "the body is not \(what): \(count) \(count == 1 ? "fault" : "faults")",
      faults: refusal.faults.map {
        Fault(code: $0.code.rawValue, pointer: $0.pointer, message: $0.message)
      })
  }
}
