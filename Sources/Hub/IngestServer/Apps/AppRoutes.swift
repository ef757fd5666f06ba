import HealthModel
import HealthStreams

/// The routes of apps that send in formats of their own (R55).
///
/// Each keeps what came before it answers, and answers what its app needs.
enum AppRoutes {
  static func routes(_ hub: Hub) -> [Route] {
    OverlandRoute.routes(hub) + OwnTracksRoute.routes(hub) + HealthAutoExportRoute.routes(hub)
  }

  /// Stores what was read, and says so when it is durable.
  static func keep(
    _ reading: AppReading, of app: AppReading.App, from request: AuthenticatedRequest, in hub: Hub,
    answer: JSONValue
  ) async throws(RequestFailure) -> Answer {
    for batch in reading.batches(of: app, deviceID: request.device.deviceID) {
      _ = try await hub.receive(batch, feed: app.feed, from: request)
    }
    var answer = Answer(200, json: answer)
    answer.received = reading.points.count + reading.messages.count
    answer.refused = reading.refused.count
    answer.ignored = reading.ignored.count
    return answer
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
