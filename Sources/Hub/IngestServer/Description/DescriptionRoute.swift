/// The description of the endpoints for programs, as it is in the folder of this file (R54).
enum DescriptionRoute {
  static let path = "/openapi.json"

  static var route: Route {
    Route(open: path) {
      // Not a file beside the program: the program alone is enough.
      Answer(file: PackageResources.openapi_json, type: "application/json")
    }
  }
}
