/// The routes of records (R52).
enum RecordRoutes {
  static func routes(_ hub: Hub) -> [Route] { [] }
}
