import HealthModel
import HealthStreams

/// `/owntracks`: messages of OwnTracks in its HTTP mode (R55).
enum OwnTracksRoute {
  static let path = "/owntracks"

  static func routes(_ hub: Hub) -> [Route] {
    [
      Route(.post, path, for: .owntracks) { (request) async throws(RequestFailure) in
        let reading: AppReading
        do throws(RequestFault) {
          reading = try OwnTracksBody.read(request.body, receivedAt: request.receivedAt)
        } catch {
          throw RequestFailure(error)
        }
        return try await AppRoutes.keep(
          reading, of: .ownTracks, from: request, in: hub, answer: OwnTracksBody.answer)
      }
    ]
  }
}
