import HTTPClient
import StoreTesting

/// A complete request from the client.
struct ProxiedRequest: Hashable, Sendable {
  var method: HTTPRequest.Method
  /// Path and query, byte for byte.
  var target: String
  /// In the order received, without those that concern only one connection.
  var fields: [HTTPField]
  var body: [UInt8]
  /// Whether the client wants the connection to end after the answer.
  var closes: Bool

  /// The target without its query, which may hold a signature.
  var path: String { String(target.prefix { $0 != "?" }) }

  private func holds(_ text: String) -> Bool { target.firstRange(of: text) != nil }

  var operation: RequestKind {
    switch method {
    case .get: ["?list-type=", "&list-type="].contains(where: holds) ? .list : .get
    case .head: .head
    case .put: .put
    case .post: .post
    case .delete: .delete
    }
  }

  /// The name of the precondition, in lower case.
  var condition: String? {
    fields.lazy.map { $0.name.lowercased() }.first(where: Self.conditions.contains)
  }

  /// The same request without preconditions.
  var unconditional: ProxiedRequest {
    var request = self
    request.fields.removeAll { Self.conditions.contains($0.name.lowercased()) }
    return request
  }

  private static let conditions: Set<String> = ["if-match", "if-none-match"]
}
