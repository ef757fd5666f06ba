import HealthModel
import HealthSources
import HealthStreams

/// `/health-auto-export`: payloads of Health Auto Export, kept whole (R55).
enum HealthAutoExportRoute {
  static let path = "/health-auto-export"

  /// The headers by which the app says what a payload is.
  private static let names = [
    "automation-name", "automation-id", "automation-aggregation", "automation-period", "session-id",
  ]

  static func routes(_ hub: Hub) -> [Route] {
    [
      Route(.post, path, for: .healthAutoExport) { (request) async throws(RequestFailure) in
        var headers: [String: String] = [:]
        for name in names { headers[name] = request.header(name) }
        let payload: HealthAutoExportBody.Payload
        var leftOut: (rows: Int, notes: [String]) = (0, [])
        do throws(AppRefusal) {
          payload = try HealthAutoExportBody.read(
            request.body, headers: headers, deviceID: request.device.deviceID,
            order: request.order,
            spans: { value in
              leftOut = PayloadDay.leftOut(of: value)
              return PayloadMoments.spans(of: value)
            })
        } catch {
          throw RequestFailure(error)
        }
        let receipt = try await hub.receive(
          payload.batch, feed: AppReading.App.healthAutoExport.feed, at: request.order)
        // The app shows the answer in its activity log.
        var members: [String: JSONValue] = [
          "status": .string("stored"),
          "batch_id": .string(payload.batch.id),
          "was_stored_before": .bool(receipt.parts.allSatisfy(\.wasStoredBefore)),
        ]
        if !payload.hasDates {
          leftOut.notes.insert(
            "the payload has no rows of metrics with dates, so no day changes", at: 0)
        }
        if !leftOut.notes.isEmpty {
          members["note"] = .string(leftOut.notes.joined(separator: "; "))
        }
        var answer = Answer(200, json: .object(members))
        answer.received = 1
        if leftOut.rows > 0 { answer.refused = leftOut.rows }
        return answer
      }
    ]
  }
}
