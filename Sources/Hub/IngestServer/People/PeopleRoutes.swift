import HealthLedger
import HealthModel

/// `/api/people`: the people with their tokens, days and zones, and changes to them (R65). For
/// administrators; it shows no one's health values.
struct PeopleRoutes: Sendable {
  static let path = "/api/people"
  static let removal = "/api/people/remove"
  static let settings = "/api/people/settings"

  private let administration: PeopleAdministration

  /// None on a server without people.
  static func routes(_ hub: Hub) -> [Route] {
    guard hub.people != nil else { return [] }
    let routes = PeopleRoutes(administration: PeopleAdministration(hub: hub))
    return [
      route(.get, path, routes.list), route(.post, path, routes.add),
      route(.post, removal, routes.remove), route(.post, settings, routes.set),
    ]
  }

  /// A person's own token reaches only that person, whatever endpoints it names.
  private static func route(
    _ method: Route.Method, _ path: String,
    _ handle: @escaping @Sendable (AuthenticatedRequest) async throws(RequestFailure) -> Answer
  ) -> Route {
    Route(method, path, for: .people, limit: maximumBytes) {
      (request) async throws(RequestFailure) in
      guard request.device.person == nil else {
        throw RequestFailure(403, "out_of_scope", "the token is a person's, not an administrator's")
      }
      return try await handle(request)
    }
  }

  private static let maximumBytes = 8192

  private func list(_ request: AuthenticatedRequest) async throws(RequestFailure) -> Answer {
    guard let query = FormText.onlyFields((request.query ?? "").utf8),
      query.keys.allSatisfy({ $0 == "after" })
    else { throw RequestFailure(400, "invalid_query", "the only query is after=ID") }
    let after = query["after"].map { PersonID($0) }
    if case .some(nil) = after {
      throw RequestFailure(400, "invalid_query", "\"after\" must be \(PersonID.form)")
    }
    let (rows, next) = try await administration.list(after: after ?? nil)
    var members: [String: JSONValue] = [
      "people": .array(rows.map { .object(Self.members($0, for: request.device)) })
    ]
    if let next { members["next"] = .string(next.rawValue) }
    return Answer(200, json: .object(members))
  }

  private static func members(
    _ row: PeopleAdministration.Row, for administrator: AuthenticatedDevice
  ) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "person": .string(row.person.rawValue),
      "tokens": .array(row.tokens.map { .string($0.name) }),
    ]
    guard let choices = row.choices else {
      members["error"] = .object(["code": .string(LedgerError.Code.storageUnavailable.rawValue)])
      return members
    }
    switch row.coverage {
    case .success(let holdings):
      members.merge(shown(choices, to: administrator)) { $1 }
      members["days"] = .number(Double(holdings.days))
      if let extent = holdings.extent {
        members["first_date"] = .string("\(extent.lowerBound)")
        members["last_date"] = .string("\(extent.upperBound)")
      }
    case .failure(let error):
      members["error"] = .object(["code": .string(error.code.rawValue)])
    }
    return members
  }

  private static func shown(
    _ choices: PersonChoices, to administrator: AuthenticatedDevice
  ) -> [String: JSONValue] {
    var values = choices.values
    if !PeopleAdministration.seesGoals(administrator) {
      values[PersonChoices.Name.goals.rawValue] = nil
    }
    return values
  }

  /// Makes a token of a person, who is new or not.
  private func add(_ request: AuthenticatedRequest) async throws(RequestFailure) -> Answer {
    let body = try Self.body(
      request, Self.choiceNames.union(["person", "name", "endpoints", "device_id"]))
    var new = PeopleAdministration.NewToken(
      person: try Self.person(body["person"]?.stringValue ?? ""))
    new.name = body["name"].map { $0.stringValue ?? "" }
    if let listed = body["endpoints"] {
      let names = listed.arrayValue ?? []
      new.endpoints = Set(names.compactMap { $0.stringValue.flatMap(Endpoint.init(rawValue:)) })
      guard names.count == new.endpoints.count else {
        throw PeopleAdministration.invalid(
          "/endpoints", "\"endpoints\" must be names of endpoints, each once")
      }
    }
    new.deviceID = body["device_id"]?.stringValue.flatMap(DeviceID.lowercased)
    if body["device_id"] != nil, new.deviceID == nil {
      throw PeopleAdministration.invalid("/device_id", "\"device_id\" must be a UUID")
    }
    new.choices = try Self.choices(body)
    let (token, secret) = try await administration.add(
      new, by: request.device, at: request.receivedAt)
    return Answer(
      201,
      json: .object([
        "person": .string(new.person.rawValue), "name": .string(token.name),
        "device_id": .string(token.device.deviceID), "token": .string(secret.text),
        "endpoints": .array(token.device.endpoints.map(\.rawValue).sorted().map { .string($0) }),
      ]))
  }

  private func set(_ request: AuthenticatedRequest) async throws(RequestFailure) -> Answer {
    let body = try Self.body(request, Self.choiceNames.union(["person"]))
    let person = try Self.person(body["person"]?.stringValue ?? "")
    let choices = try await administration.set(
      try Self.choices(body), of: person, by: request.device)
    var members = Self.shown(choices, to: request.device)
    members["person"] = .string(person.rawValue)
    return Answer(200, json: .object(members))
  }

  private func remove(_ request: AuthenticatedRequest) async throws(RequestFailure) -> Answer {
    let body = try Self.body(request, ["person"])
    let person = try Self.person(body["person"]?.stringValue ?? "")
    let count = try await administration.remove(person)
    return Answer(
      200,
      json: .object(["person": .string(person.rawValue), "revoked": .number(Double(count))]))
  }

  // MARK: - Reading

  private static let choiceNames = Set(PersonChoices.Name.allCases.map(\.rawValue))

  /// The choices in a body; null takes one away.
  private static func choices(
    _ body: [String: JSONValue]
  ) throws(RequestFailure) -> [PersonChoices.Name: String?] {
    var choices: [PersonChoices.Name: String?] = [:]
    for name in PersonChoices.Name.allCases {
      guard let value = body[name.rawValue] else { continue }
      if value == .null {
        choices[name] = .some(nil)
      } else if let text = value.stringValue {
        choices[name] = text
      } else {
        throw PeopleAdministration.invalid(
          "/\(name.rawValue)", "\"\(name.rawValue)\" must be a text, or null for none")
      }
    }
    return choices
  }

  private static func body(
    _ request: AuthenticatedRequest, _ names: Set<String>
  ) throws(RequestFailure) -> [String: JSONValue] {
    guard let value = try? JSONValue(parsing: request.body, maximumDepth: 3),
      let members = value.objectValue
    else { throw PeopleAdministration.invalid("", "the body must be a JSON object") }
    if let unknown = members.keys.filter({ !names.contains($0) }).min() {
      throw PeopleAdministration.invalid(
        "", "the body has an unknown member: \(unknown.prefix(40))")
    }
    return members
  }

  private static func person(_ text: String) throws(RequestFailure) -> PersonID {
    guard let person = PersonID(text) else {
      throw PeopleAdministration.invalid("/person", "the id of a person must be \(PersonID.form)")
    }
    return person
  }
}
