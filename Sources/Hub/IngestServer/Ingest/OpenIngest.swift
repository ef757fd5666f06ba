import Digests
import HealthModel
import HealthStreams
import StreamDays

/// A request to `/api/ingest` that is not one batch as it stands (R54): longer than one, of more
/// dates, or with entries or members that can't be used. What can be kept is kept: entries in as many
/// batches as they need, the others are set aside as messages.
struct OpenIngest {
  private let request: AuthenticatedRequest
  private let hub: Hub
  private let isStrict: Bool

  /// What messages of this endpoint have as `app`, and those of others' members as `kind`.
  private static let (app, membersKind) = ("ingest", "members")

  init(_ request: AuthenticatedRequest, _ hub: Hub, isStrict: Bool) {
    (self.request, self.hub, self.isStrict) = (request, hub, isStrict)
  }

  /// Stores all of it, then answers.
  func answer() async throws(RequestFailure) -> Answer {
    let ingest: OpenRequest
    do throws(IngestRefusal) {
      ingest = try OpenRequest(parsing: request.body)
    } catch {
      throw RequestFailure(error)
    }
    try IngestRoutes.check(ingest.deviceID, request)
    let faults = await ingest.faults()
    if isStrict, faults.count > 0 { throw RequestFailure(faults) }
    let session = try IngestRoutes.session(request, of: ingest.stream)
    var key: String?
    var (refused, unused) = (0, UnusedSamples())
    try await ingest.pieces(
      session: session, mostDates: hub.limits.datesPerBatch, digest: SHA256.hex
    ) { (piece) async throws(RequestFailure) in
      switch piece {
      case .batch(let batch):
        let receipt = try await hub.receive(batch, feed: IngestRoutes.feed, from: request)
        key = key ?? receipt.parts.first?.key.rawValue
        unused.take(batch, from: request)
      case .refused(let entries):
        refused += entries.count
        try await keep(
          entries.compactMap { aside($0.entry, ingest.stream.rawValue, $0.fault) })
      }
    }
    if let others = ingest.others { try await keep([aside(others, Self.membersKind, nil)]) }
    var answer = IngestRoutes.answer(
      ingest.recordCount, key: key, unused, refused: faults.faults.map(\.json))
    answer.counts.refused = refused
    return answer
  }

  private func aside(_ value: JSONValue, _ kind: String, _ fault: RequestFault?) -> StreamEntry? {
    StreamEntry.aside(
      value, of: Self.app, kind: kind, at: StreamEntry.moment(of: value) ?? request.receivedAt.hour,
      fault: fault.map { "\($0.pointer): \($0.message)" })
  }

  /// Their id is a function of their content alone: what is repeated is stored once.
  private func keep(_ messages: [StreamEntry?]) async throws(RequestFailure) {
    for piece in AppReading.pieces(messages.compactMap(\.self)) {
      let batch = SealedBatch(
        checked: piece, of: .appMessages, deviceID: request.device.deviceID, session: Self.app,
        appVersion: Self.app)
      _ = try await hub.receive(batch, feed: IngestRoutes.feed, from: request)
    }
  }
}

extension RequestFault {
  /// As an answer lists it: `/data/3/altitude` is of the entry 3.
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "code": .string(code.rawValue), "pointer": .string(pointer), "message": .string(message),
    ]
    let parts = pointer.split(separator: "/")
    if parts.count > 1, let index = Int(parts[1]) { members["index"] = .number(Double(index)) }
    return .object(members)
  }
}
