import HealthLedger
import HealthModel

/// `/api/people`: who there is, and which tokens and days each has (R65). For an administrator: it shows no
/// value of anybody.
struct PeopleRoutes: Sendable {
  static let path = "/api/people"
  static let removal = "/api/people/remove"

  private let hub: Hub

  /// None on a server without people.
  static func routes(_ hub: Hub) -> [Route] {
    guard hub.people != nil else { return [] }
    let routes = PeopleRoutes(hub: hub)
    return [
      Route(.get, path, for: .people) { (request) async throws(RequestFailure) in
        try await routes.list(checked(request))
      },
      Route(.post, path, for: .people, limit: maximumBytes) {
        (request) async throws(RequestFailure) in
        try await routes.add(checked(request))
      },
      Route(.post, removal, for: .people, limit: maximumBytes) {
        (request) async throws(RequestFailure) in
        try await routes.remove(checked(request))
      },
    ]
  }

  /// A person's own token reaches only that person, whatever endpoints it names.
  private static func checked(
    _ request: AuthenticatedRequest
  ) throws(RequestFailure) -> AuthenticatedRequest {
    guard request.device.person == nil else {
      throw RequestFailure(403, "out_of_scope", "the token is a person's, not an administrator's")
    }
    return request
  }

  /// The most bytes of a body, and how many people one answer lists.
  private static let (maximumBytes, pageSize) = (8192, 100)

  // MARK: - Listing

  private func list(_ request: AuthenticatedRequest) async throws(RequestFailure) -> Answer {
    guard let query = FormText.onlyFields((request.query ?? "").utf8),
      query.keys.allSatisfy({ $0 == "after" })
    else { throw RequestFailure(400, "invalid_query", "the only query is after=ID") }
    let after = query["after"].map { PersonID($0) }
    if case .some(nil) = after {
      throw RequestFailure(400, "invalid_query", "\"after\" must be \(PersonID.form)")
    }
    let table = try table()
    let stored = try await asking { (people) async throws(LedgerError) in
      try await people.list().ids
    }
    let names = table.people.union(stored).filter { person in
      (after ?? nil).map { $0 < person } ?? true
    }
    .sorted()
    let page = names.prefix(Self.pageSize)
    var rows: [JSONValue] = []
    // A few at a time: each is a listing of the store.
    for group in stride(from: 0, to: page.count, by: 8).map({
      page.dropFirst($0).prefix(8)
    }) {
      rows += await withTaskGroup(of: (PersonID, [String: JSONValue]).self) { tasks in
        for person in group {
          tasks.addTask {
            // Before the tuple: one that is begun before an await loses its first part to the
            // optimiser (Swift 6.3).
            let coverage = await coverage(of: person)
            return (person, coverage)
          }
        }
        var found: [(PersonID, [String: JSONValue])] = []
        for await row in tasks { found.append(row) }
        return found.sorted { $0.0 < $1.0 }.map { person, coverage in
          var members = coverage
          members["person"] = .string(person.rawValue)
          members["tokens"] = .array(
            table.tokens.filter { $0.device.person == person }.map { .string($0.name) })
          return .object(members)
        }
      }
    }
    var members: [String: JSONValue] = ["people": .array(rows)]
    if names.count > page.count, let last = page.last { members["next"] = .string(last.rawValue) }
    var answer = Answer(200, json: .object(members))
    answer.headers.append(HeaderField("Cache-Control", "no-store"))
    return answer
  }

  /// Which dates a person has, by the store's listing: no document is read. One whose data can't be
  /// listed stops nobody else's.
  private func coverage(of person: PersonID) async -> [String: JSONValue] {
    do throws(LedgerError) {
      let holdings = try await people().ledger(of: person).holdings()
      var members: [String: JSONValue] = [
        "days": .number(Double(holdings.runs.reduce(0) { $0 + $1.days }))
      ]
      if let extent = holdings.extent {
        members["first_date"] = .string("\(extent.lowerBound)")
        members["last_date"] = .string("\(extent.upperBound)")
      }
      return members
    } catch {
      return ["error": .object(["code": .string(error.code.rawValue)])]
    }
  }

  // MARK: - Changing

  /// Makes a token of a person, who is new or not.
  private func add(_ request: AuthenticatedRequest) async throws(RequestFailure) -> Answer {
    let body = try Self.body(request, ["person", "name", "endpoints", "device_id"])
    let person = try Self.person(body["person"]?.stringValue ?? "")
    let wished = body["name"].map { $0.stringValue ?? "" }
    // An id may be nearly as long as a name.
    let name = wished ?? "\(person.rawValue.prefix(55))-\(GrantSecret.random(8))"
    guard AccessToken.isName(name) else {
      throw Self.invalid(
        "/name", "\"name\" must have 1 to 64 letters, digits, \".\", \"_\" and \"-\"")
    }
    let listed =
      body["endpoints"].map { $0.arrayValue ?? [] } ?? [.string(Endpoint.ingest.rawValue)]
    let endpoints = Set(listed.compactMap { $0.stringValue.flatMap(Endpoint.init(rawValue:)) })
    guard !endpoints.isEmpty, listed.count == endpoints.count else {
      throw Self.invalid("/endpoints", "\"endpoints\" must be names of endpoints, each once")
    }
    // Who may only add people must not let itself in to read, or make others administrators.
    let readable = request.device.scope.endpoints.intersection([.dashboard, .agents])
    if let refused = endpoints.first(where: {
      !Endpoint.writing.contains($0) && !readable.contains($0)
    }) {
      throw RequestFailure(
        403, "out_of_scope",
        "this token may not give access to \(refused.rawValue), because it has none itself")
    }
    let device = body["device_id"].map { $0.stringValue.flatMap(DeviceID.lowercased) }
    if case .some(nil) = device { throw Self.invalid("/device_id", "\"device_id\" must be a UUID") }
    let secret = TokenSecret()
    let scope = TokenScope(
      endpoints: endpoints, deviceID: (device ?? nil) ?? DeviceID.random(), person: person)
    let token = AccessToken(
      device: AuthenticatedDevice(name: name, scope: scope), digest: secret.digest,
      createdAt: request.receivedAt)
    // Who is added exists, also before the first day.
    _ = try await asking { (people) async throws(LedgerError) in try await people.add(person) }
    let isAdded = try await change { table in
      // A change that is made again, because its answer was lost, finds its own token.
      table[name] == token || table.add(token)
    }
    guard isAdded else {
      throw RequestFailure(
        409, "name_taken", "there is a token of this name, or there are too many")
    }
    var answer = Answer(
      201,
      json: .object([
        "person": .string(person.rawValue), "name": .string(name),
        "device_id": .string(scope.deviceID), "token": .string(secret.text),
        "endpoints": .array(endpoints.map(\.rawValue).sorted().map { .string($0) }),
      ]))
    answer.headers.append(HeaderField("Cache-Control", "no-store"))
    return answer
  }

  /// Ends all tokens of a person. What they have stored stays.
  private func remove(_ request: AuthenticatedRequest) async throws(RequestFailure) -> Answer {
    let body = try Self.body(request, ["person"])
    let person = try Self.person(body["person"]?.stringValue ?? "")
    let count = try await change { $0.remove(all: person) }
    guard count > 0 else {
      throw RequestFailure(404, "no_such_person", "no token is of this person")
    }
    return Answer(
      200,
      json: .object(["person": .string(person.rawValue), "revoked": .number(Double(count))]))
  }

  // MARK: - Reading

  /// The people of the store.
  private func people() throws(LedgerError) -> People {
    let streams = hub.own.streams
    return People(
      of: HealthLedger(
        store: streams.store, layout: try LedgerLayout(prefix: streams.layout.prefix)))
  }

  private func asking<Value>(
    _ work: (People) async throws(LedgerError) -> Value
  ) async throws(RequestFailure) -> Value {
    do throws(LedgerError) {
      return try await work(people())
    } catch {
      throw .unavailable("the store can't be asked at the moment", cause: error.message)
    }
  }

  private func table() throws(RequestFailure) -> TokenTable {
    do throws(TokenFileError) {
      return try hub.tokens.table()
    } catch {
      throw .unavailable("the server can't read its tokens at the moment", cause: error.message)
    }
  }

  private func change<Value>(
    _ change: (inout TokenTable) -> Value
  ) async throws(RequestFailure) -> Value {
    do throws(TokenFileError) {
      return try await hub.tokens.change(change)
    } catch {
      throw .unavailable("the server can't change its tokens at the moment", cause: error.message)
    }
  }

  private static func body(
    _ request: AuthenticatedRequest, _ names: Set<String>
  ) throws(RequestFailure) -> [String: JSONValue] {
    guard let value = try? JSONValue(parsing: request.body, maximumDepth: 3),
      let members = value.objectValue
    else { throw invalid("", "the body must be a JSON object") }
    if let unknown = members.keys.filter({ !names.contains($0) }).min() {
      throw invalid("", "the body has an unknown member: \(unknown.prefix(40))")
    }
    return members
  }

  private static func person(_ text: String) throws(RequestFailure) -> PersonID {
    guard let person = PersonID(text) else {
      throw invalid("/person", "the id of a person must be \(PersonID.form)")
    }
    return person
  }

  private static func invalid(_ pointer: String, _ message: String) -> RequestFailure {
    RequestFailure(
      400, "invalid_request", message,
      faults: [.init(code: "invalid_request", pointer: pointer, message: message)])
  }
}
