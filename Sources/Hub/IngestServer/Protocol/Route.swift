internal import HTTPTypes
package import HealthModel
internal import Hummingbird

/// A path that the server answers, by one method.
///
/// The server has done everything else before: it knows the device, has checked that its token may
/// be used for the endpoint, and has read and unpacked the body within its limits.
package struct Route: Sendable {
  /// HEAD is answered wherever GET is.
  package enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
  }

  let method: Method
  /// The whole path, such as `/api/ingest`. Nothing else is answered, but for one slash more where a
  /// token is needed; of a folder of pages, which ends with a slash, the names in it.
  let path: String
  let access: Access
  /// The most bytes of a body, if that is not the usual.
  private(set) var limit: Int?

  enum Access: Sendable {
    /// Anybody may ask.
    case open(@Sendable () async -> Answer)
    /// Who has a token for the endpoint.
    case token(
      Endpoint, @Sendable (AuthenticatedRequest) async throws(RequestFailure) -> Answer)
    /// A browser, which the route asks itself who it is.
    case page(@Sendable (PageRequest) async throws(RequestFailure) -> Answer)
  }

  /// A route for devices whose tokens have `endpoint` in their scope.
  ///
  /// - Parameters:
  ///   - limit: the most bytes of a body, if that is not the usual.
  ///   - handle: has 60 seconds. It returns only what is durable. Whatever it throws is answered as
  ///     it says.
  package init(
    _ method: Method, _ path: String, for endpoint: Endpoint, limit: Int? = nil,
    _ handle: @escaping @Sendable (AuthenticatedRequest) async throws(RequestFailure) -> Answer
  ) {
    (self.method, self.path, access) = (method, path, .token(endpoint, handle))
    self.limit = limit
  }

  /// A route of a page for people (R59).
  init(
    page method: Method, _ path: String,
    _ handle: @escaping @Sendable (PageRequest) async throws(RequestFailure) -> Answer
  ) {
    (self.method, self.path, access) = (method, path, .page(handle))
  }

  /// A route that needs no token. It gets nothing of the request.
  init(open path: String, _ handle: @escaping @Sendable () async -> Answer) {
    (method, self.path, access) = (.get, path, .open(handle))
  }
}

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
    /// The methods that the path has, as `Allow` lists them.
    case otherMethods(String)
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
    return .otherMethods(allowed.sorted().joined(separator: ", "))
  }
}

/// A request whose device is known, with its whole body.
package struct AuthenticatedRequest: Sendable {
  package let device: AuthenticatedDevice
  /// Unpacked, at most `HubLimits.bodyBytes`; empty where there was none.
  package let body: [UInt8]
  /// When the server received it, by the store's clock where that is known.
  package var receivedAt: Timestamp { order.timestamp }
  /// The same to the microsecond. Of a request that stores something, it is later than that of every
  /// one that was acknowledged before this one came (R46).
  package let order: PreciseMoment
  /// What stands after `?` in the target, as it was sent; nil if there is no `?`.
  package let query: String?
  /// The server's name as the client knows it.
  let host: String
  private let fields: HTTPFields

  init(
    device: AuthenticatedDevice, body: [UInt8], order: PreciseMoment, query: String?, host: String,
    fields: HTTPFields
  ) {
    (self.device, self.body, self.order) = (device, body, order)
    (self.query, self.host, self.fields) = (query, host, fields)
  }

  /// The value of a header field, by its name in any case; nil if it is absent. Where there are
  /// several of one name, they are joined by commas.
  package func header(_ name: String) -> String? {
    HTTPField.Name(name).flatMap { fields[$0] }
  }

  /// What the client calls the request, to send it again under the same name; nil if it does not.
  var idempotencyKey: String? {
    get throws(RequestFailure) {
      guard let key = header("Idempotency-Key") else { return nil }
      guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
      else {
        throw RequestFailure(
          400, "invalid_header", "Idempotency-Key must have 1 to 200 printable ASCII characters")
      }
      return key
    }
  }
}
