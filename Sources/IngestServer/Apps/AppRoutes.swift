/// The routes of apps that send in formats of their own (R51).
enum AppRoutes {
  static func routes(_ hub: Hub) -> [Route] { [] }
}
