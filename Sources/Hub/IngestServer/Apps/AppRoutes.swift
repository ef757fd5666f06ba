import Digests
import HealthModel
import HealthSources
package import HealthStreams

/// The routes of apps that send in formats of their own (R55).
///
/// Each keeps what came before it answers, and answers what its app needs.
enum AppRoutes {
  static func routes(_ hub: Hub) -> [Route] {
    [
      // Overland asks for a name to show, and people look whether the address is right.
      Route(.get, AppReading.App.overland.path, for: .overland) { request in
        Answer(200, json: .object(["name": .string(request.device.name)]))
      },
      points(of: .overland, hub, answer: OverlandBody.answer, OverlandBody.read),
      points(of: .ownTracks, hub, answer: OwnTracksBody.answer, OwnTracksBody.read),
      Route(
        .post, AppReading.App.healthAutoExport.path, for: .healthAutoExport,
        limit: hub.limits.ingestBytes
      ) { (request) async throws(RequestFailure) in
        try await HealthAutoExportRoute.receive(request, hub)
      },
    ]
  }

  /// Stores points and messages, and says so when they are durable.
  private static func points(
    of app: AppReading.App, _ hub: Hub, answer: JSONValue,
    _ read: @escaping @Sendable ([UInt8], Timestamp) throws(RequestFault) -> AppReading
  ) -> Route {
    Route(.post, app.path, for: app.endpoint) { (request) async throws(RequestFailure) in
      let reading: AppReading
      do throws(RequestFault) {
        reading = try read(request.body, request.receivedAt)
      } catch {
        throw RequestFailure(error)
      }
      for batch in reading.batches(of: app, deviceID: request.device.deviceID) {
        _ = try await hub.receive(batch, feed: app.feed, from: request)
      }
      var answer = Answer(200, json: answer)
      answer.counts.received = reading.points.count + reading.messages.count
      answer.counts.refused = reading.refused.count
      answer.counts.ignored = reading.ignored.count
      return answer
    }
  }
}

extension AppReading.App {
  var path: String { "/\(rawValue)" }

  /// What its token may be used for.
  package var endpoint: Endpoint {
    switch self {
    case .overland: .overland
    case .ownTracks: .owntracks
    case .healthAutoExport: .healthAutoExport
    }
  }
}

extension RequestFailure {
  /// A body that is not one of an app.
  init(_ refusal: RequestFault) {
    self.init(
      refusal.code == .tooLarge ? 413 : 400, refusal.code.rawValue, refusal.message,
      faults: [
        .init(code: refusal.code.rawValue, pointer: refusal.pointer, message: refusal.message)
      ])
  }
}

/// `/health-auto-export`: payloads of Health Auto Export, kept whole (R55).
enum HealthAutoExportRoute {
  /// The headers by which the app says what a payload is.
  private static let names = [
    "automation-name", "automation-id", "automation-aggregation", "automation-period",
    HealthAutoExportBody.writtenAt, "session-id",
  ]

  /// Most remarks that an answer lists, and most of them in its text for people; the others are counted.
  private static let (mostNotes, mostInText) = (100, 10)
  /// A longer body is kept in parts: its canonical form can be a little longer, and spans and headers
  /// are beside it.
  private static let roomBeside = 1 << 18

  static func receive(
    _ request: AuthenticatedRequest, _ hub: Hub
  ) async throws(RequestFailure) -> Answer {
    var headers: [String: String] = [:]
    for name in names { headers[name] = request.header(name) }
    let payload: (entries: [StreamEntry], hasDates: Bool)
    var leftOut: (rows: Int, notes: [String], more: Int, lost: LostRows) = (0, [], 0, LostRows())
    let rowLength = RowLength(aggregation: headers["automation-aggregation"] ?? "")
    func spans(_ value: JSONValue) -> [ClosedRange<Timestamp>] {
      let own = CaptureRows.leftOut(of: value, rowLength: rowLength)
      leftOut.rows += own.rows
      leftOut.lost.take(own.lost)
      // The parts of a payload may say the same.
      let notes = own.notes.filter { !leftOut.notes.contains($0) }
      let room = mostNotes - leftOut.notes.count
      leftOut.notes += notes.prefix(room)
      leftOut.more += max(0, notes.count - room)
      return PayloadMoments.spans(of: value)
    }
    do throws(RequestFault) {
      if request.body.count <= StreamEntry.maximumPayloadBytes - roomBeside {
        let (entry, hasDates) = try HealthAutoExportBody.entry(
          of: request.body, headers: headers, receivedAt: request.order.timestamp, spans: spans)
        payload = ([entry], hasDates)
      } else {
        payload = try HealthAutoExportBody.parts(
          of: request.body, digest: SHA256.hex, headers: headers,
          receivedAt: request.order.timestamp, spans: spans)
      }
    } catch {
      throw RequestFailure(error)
    }
    var (batchID, wasStoredBefore): (String?, Bool) = (nil, true)
    for entry in payload.entries {
      let batch = HealthAutoExportBody.sealed(
        entry, headers: headers, deviceID: request.device.deviceID, order: request.order)
      batchID = batchID ?? batch.id
      let receipt = try await hub.receive(
        batch, feed: AppReading.App.healthAutoExport.feed, from: request)
      wasStoredBefore = wasStoredBefore && receipt.parts.allSatisfy(\.wasStoredBefore)
    }
    // The app shows the answer in its activity log.
    var members: [String: JSONValue] = [
      "status": .string("stored"),
      "batch_id": .string(batchID ?? ""),
      "was_stored_before": .bool(wasStoredBefore),
    ]
    if payload.entries.count > 1 {
      members["parts"] = .number(Double(payload.entries.count))
    }
    if !payload.hasDates {
      leftOut.notes.insert(
        "the payload has no rows of metrics with dates, so no day changes", at: 0)
    }
    if !leftOut.notes.isEmpty {
      let more = leftOut.notes.count + leftOut.more - mostInText
      let text = leftOut.notes.prefix(mostInText) + (more > 0 ? ["and \(more) more"] : [])
      members["note"] = .string(text.joined(separator: "; "))
      members["notes"] = .array(leftOut.notes.map { .string($0) })
      if leftOut.more > 0 { members["further_notes"] = .number(Double(leftOut.more)) }
    }
    var answer = Answer(200, json: .object(members))
    answer.counts.received = 1
    if leftOut.rows > 0 { answer.counts.refused = leftOut.rows }
    answer.counts.leftOut = leftOut.lost.words
    return answer
  }
}
