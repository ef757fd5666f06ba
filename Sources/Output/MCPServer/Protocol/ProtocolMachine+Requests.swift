import HealthModel

extension ProtocolMachine {
  /// Answers a request, or begins its call.
  mutating func request(_ request: IncomingRequest, to destination: Destination) -> [Action] {
    do throws(ProtocolError) {
      guard let method = Method(rawValue: request.method) else {
        throw .methodNotFound(request.method)
      }
      let params = try request.members
      if method == .initialize { return try initialize(request, params, to: destination) }
      let version = try version(method, params)
      guard method.exists(in: version) else { throw .methodNotFound(request.method) }
      let result: [String: JSONValue]
      switch method {
      case .callTool: return try call(request.id, params, version, to: destination)
      case .readResource: return try read(request.id, params, version, to: destination)
      case .getPrompt: return try prompt(request.id, params, version, to: destination)
      case .listTools, .listResources, .listTemplates, .listPrompts:
        if params["cursor"] != nil {
          throw .invalidParams("the list has only one page, so no `cursor` is valid")
        }
        switch method {
        case .listResources: result = server.resources(version)
        case .listTemplates: result = server.templates(version)
        case .listPrompts: result = server.prompts(version)
        default: result = server.tools(version)
        }
      case .discover: result = server.discovered
      case .ping, .initialize: result = [:]
      }
      return deliver(
        server.response(result, to: request.id, version), of: request.id, to: destination)
    } catch {
      return deliver(error.response(to: request.id), of: request.id, to: destination)
    }
  }

  /// The methods of all protocol versions.
  private enum Method: String {
    case initialize
    case ping
    case discover = "server/discover"
    case listTools = "tools/list"
    case callTool = "tools/call"
    case listResources = "resources/list"
    case listTemplates = "resources/templates/list"
    case readResource = "resources/read"
    case listPrompts = "prompts/list"
    case getPrompt = "prompts/get"

    func exists(in version: ProtocolVersion) -> Bool {
      switch self {
      case .initialize, .ping: !version.isPerRequest
      case .discover: version.isPerRequest
      default: true
      }
    }
  }

  /// The protocol version for a request: the one that it names, or the one that `initialize` agreed
  /// on.
  private func version(
    _ method: Method, _ params: [String: JSONValue]
  ) throws(ProtocolError) -> ProtocolVersion {
    if let version = try RequestMetadata.version(of: params) { return version }
    if method == .discover {
      throw .invalidParams("`_meta` must have `\(RequestMetadata.versionKey)`")
    }
    if let agreed { return agreed }
    // A client may check whether the server is there before it begins.
    if method == .ping { return .latestWithHandshake }
    throw .invalidParams(
      "begin with `initialize`, or name the version in `_meta` as `\(RequestMetadata.versionKey)`")
  }

  private mutating func initialize(
    _ request: IncomingRequest, _ params: [String: JSONValue], to destination: Destination
  ) throws(ProtocolError) -> [Action] {
    guard destination == .line else { throw .invalidRequest("`initialize` must not be in a batch") }
    let requested = try params.string("protocolVersion")
    var version = ProtocolVersion(rawValue: requested) ?? .latestWithHandshake
    if version.isPerRequest { version = .latestWithHandshake }
    agreed = version
    return [.send(server.response(server.initialized(version), to: request.id, version))]
  }
}

/// What a request declares about itself in `_meta`, since 2026-07-28.
enum RequestMetadata {
  static let versionKey = "io.modelcontextprotocol/protocolVersion"
  static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
  static let serverInfoKey = "io.modelcontextprotocol/serverInfo"

  /// The version that the request names; nil if it names none, as before 2026-07-28.
  ///
  /// - Throws: `unsupportedVersion`, or `invalidParams` if a required member is missing.
  static func version(
    of params: [String: JSONValue]
  ) throws(ProtocolError) -> ProtocolVersion? {
    guard let meta = params["_meta"] else { return nil }
    guard let members = meta.objectValue else {
      throw .invalidParams("`_meta` must be an object")
    }
    guard let named = members[versionKey] else { return nil }
    guard let text = named.stringValue else {
      throw .invalidParams("`\(versionKey)` in `_meta` must be a string")
    }
    guard let version = ProtocolVersion(rawValue: text), version.isPerRequest else {
      throw .unsupportedVersion(text)
    }
    guard members[capabilitiesKey]?.objectValue != nil else {
      throw .invalidParams("`_meta` must have `\(capabilitiesKey)`, an object")
    }
    return version
  }
}
