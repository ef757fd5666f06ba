/// The routes of a server by path. Pure.
struct RouteTable: Sendable {
  private var routes: [String: [Route.Method: Route]] = [:]

  init(_ routes: [Route]) {
    for route in routes {
      self.routes[route.path, default: [:]][route.method] = route
      // Some apps are given the path with a slash at its end, and OwnTracks deletes what is answered
      // by 404.
      if case .token = route.access {
        self.routes[route.path + "/", default: [:]][route.method] = route
      }
    }
  }

  /// What a request's method and path lead to.
  enum Finding {
    /// `withoutBody` for a HEAD.
    case found(Route, withoutBody: Bool)
    case noSuchPath
    /// The methods that the path has, for `Allow`.
    case otherMethods([String])
  }

  /// The routes of the folder of pages that a path's last part is a name in.
  private func folder(of path: String) -> [Route.Method: Route]? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.utf8.startIndex
    else { return nil }
    let pages = routes[String(path[...slash])]?.filter {
      if case .page = $0.value.access { true } else { false }
    }
    // Nothing below a path where devices post is a path.
    return pages?.isEmpty == true ? nil : pages
  }

  /// Only these paths are found: nothing is decoded, joined or resolved.
  func find(_ method: String, _ path: String) -> Finding {
    guard let methods = routes[path] ?? folder(of: path) else { return .noSuchPath }
    if let method = Route.Method(rawValue: method), let route = methods[method] {
      return .found(route, withoutBody: false)
    }
    if method == "HEAD", let route = methods[.get] { return .found(route, withoutBody: true) }
    let allowed = methods.keys.map(\.rawValue) + (methods[.get] == nil ? [] : ["HEAD"])
    return .otherMethods(allowed.sorted())
  }
}
