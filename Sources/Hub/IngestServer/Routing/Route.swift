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
