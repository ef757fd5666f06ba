import HealthModel
import HealthStreams

/// `/overland`: points of Overland, and of apps that speak its format (R55).
enum OverlandRoute {
  static let path = "/overland"

  static func routes(_ hub: Hub) -> [Route] {
    [
      // The app asks for a name to show, and people look whether the address is right.
      Route(.get, path, for: .overland) { request in
        Answer(200, json: .object(["name": .string(request.device.name)]))
      },
      Route(.post, path, for: .overland) { (request) async throws(RequestFailure) in
        let reading: AppReading
        do throws(RequestFault) {
          reading = try OverlandBody.read(request.body, receivedAt: request.receivedAt)
        } catch {
          throw RequestFailure(error)
        }
        return try await AppRoutes.keep(
          reading, of: .overland, from: request, in: hub, answer: OverlandBody.answer)
      },
    ]
  }
}
