import ContentDigests
import HealthLedger
import HealthModel

/// What an administrator can see and do (R65): names, dates, counts and zones, but no one's health values.
struct PeopleAdministration: Sendable {
  let hub: Hub

  /// How many people one answer lists.
  static let pageSize = 100

  /// One person, as an administrator sees them.
  struct Row: Sendable {
    let person: PersonID
    let tokens: [AccessToken]
    /// The person's dates, or why they can't be listed.
    let coverage: Result<Holdings, LedgerError>
    /// Nil if they can't be read.
    let choices: PersonChoices?
  }

  // MARK: - Seeing

  /// The people who are in the store or have tokens, from a given one on, and where the next page starts.
  func list(after: PersonID?) async throws(RequestFailure) -> (rows: [Row], next: PersonID?) {
    let table = try hub.tokens.table()
    let stored = try await asking { (people) async throws(LedgerError) in
      try await people.list().ids
    }
    let names = table.people.union(stored).filter { person in
      after.map { $0 < person } ?? true
    }
    .sorted()
    let page = names.prefix(Self.pageSize)
    var rows: [Row] = []
    // A few at a time, because each costs a listing and a read.
    for group in stride(from: 0, to: page.count, by: 8).map({ page.dropFirst($0).prefix(8) }) {
      rows += await withTaskGroup(of: Row.self) { tasks in
        for person in group { tasks.addTask { await row(of: person, table) } }
        var found: [Row] = []
        for await row in tasks { found.append(row) }
        return found.sorted { $0.person < $1.person }
      }
    }
    return (rows, names.count > page.count ? page.last : nil)
  }

  /// One person; nil if they are neither in the store nor have tokens.
  func row(of person: PersonID) async throws(RequestFailure) -> Row? {
    let table = try hub.tokens.table()
    if table.only(person).tokens.isEmpty {
      let isStored = try await asking { (people) async throws(LedgerError) in
        try await people.holds(person)
      }
      guard isStored else { return nil }
    }
    return await row(of: person, table)
  }

  /// Uses the store's listing and reads no day. A person whose data can't be listed does not affect the
  /// others.
  private func row(of person: PersonID, _ table: TokenTable) async -> Row {
    let coverage: Result<Holdings, LedgerError>
    do throws(LedgerError) {
      let holdings = try await people().ledger(of: person).holdings()
      if holdings.extent == nil { try await people().checkPlace(of: person) }
      coverage = .success(holdings)
    } catch {
      coverage = .failure(error)
    }
    let choices = try? await people().choices(of: person)
    return Row(
      person: person, tokens: table.tokens.filter { $0.device.person == person },
      coverage: coverage, choices: choices)
  }

  // MARK: - Changing

  struct NewToken: Sendable {
    let person: PersonID
    /// Nil to make one up.
    var name: String?
    var endpoints: Set<Endpoint> = [.ingest]
    /// Nil for a new one.
    var deviceID: String?
    var choices: [PersonChoices.Name: String?] = [:]
  }

  /// Makes a token for a person, who may be new, and stores the given settings.
  func add(
    _ new: NewToken, by administrator: AuthenticatedDevice, at now: Timestamp
  ) async throws(RequestFailure) -> (token: AccessToken, secret: TokenSecret) {
    let person = new.person
    // An id may be nearly as long as a name.
    let name = new.name ?? "\(person.rawValue.prefix(55))-\(Hex.random(8))"
    guard AccessToken.isName(name) else {
      throw Self.invalid(
        "/name", "\"name\" must have 1 to 64 letters, digits, \".\", \"_\" and \"-\"")
    }
    guard !new.endpoints.isEmpty else {
      throw Self.invalid("/endpoints", "\"endpoints\" must be names of endpoints, each once")
    }
    let allowed = Self.endpoints(administrator)
    if let refused = new.endpoints.first(where: { !allowed.contains($0) }) {
      throw RequestFailure(
        403, "out_of_scope",
        "this token may not give access to \(refused.rawValue), because it has none itself")
    }
    try check(new.choices, by: administrator)
    let device = AuthenticatedDevice(
      name: name, endpoints: new.endpoints, deviceID: new.deviceID ?? DeviceID.random(),
      person: person)
    let (token, secret) = AccessToken.made(for: device, at: now)
    let isTaken = RequestFailure(
      409, "name_taken", "there is a token of this name, or there are too many")
    // Asked first, because a refused request changes nothing.
    guard try await hub.tokens.change({ $0.hasRoom(for: name) }) else { throw isTaken }
    _ = try await asking { (people) async throws(LedgerError) in try await people.add(person) }
    if !new.choices.isEmpty { _ = try await write(new.choices, of: person) }
    // Last: whatever ends before it has taken no name, and can be done again.
    let isAdded = try await hub.tokens.change { table in
      // If this runs again because an answer was lost, it finds its own token.
      table[name] == token || table.add(token)
    }
    guard isAdded else { throw isTaken }
    return (token, secret)
  }

  /// The endpoints that this administrator may grant. One who may only add people must not gain read access
  /// this way, or make other administrators.
  static func endpoints(_ administrator: AuthenticatedDevice) -> Set<Endpoint> {
    Endpoint.writing.union(administrator.endpoints.intersection([.dashboard, .agents]))
  }

  /// Whether this administrator can see and set goals, which reveal something about the person.
  static func seesGoals(_ administrator: AuthenticatedDevice) -> Bool {
    administrator.endpoints.contains(.dashboard)
  }

  /// Ends all tokens of a person. What they have stored stays.
  ///
  /// - Returns: how many.
  func remove(_ person: PersonID) async throws(RequestFailure) -> Int {
    let count = try await hub.tokens.change { $0.remove(all: person) }
    guard count > 0 else {
      throw RequestFailure(404, "no_such_person", "no token is of this person")
    }
    return count
  }

  /// Sets what a person has chosen; nil takes a choice away.
  ///
  /// - Throws: 404 for an unknown person, so that a typing error makes no one.
  func set(
    _ choices: [PersonChoices.Name: String?], of person: PersonID,
    by administrator: AuthenticatedDevice
  ) async throws(RequestFailure) -> PersonChoices {
    try check(choices, by: administrator)
    guard try await row(of: person) != nil else {
      throw Self.nobody
    }
    return try await write(choices, of: person)
  }

  static let nobody = RequestFailure(
    404, "no_such_person", "no person with this id is in the store or has a token")

  private func write(
    _ choices: [PersonChoices.Name: String?], of person: PersonID
  ) async throws(RequestFailure) -> PersonChoices {
    let (found, isNew) = try await asking { (people) async throws(LedgerError) in
      try await people.change(person) { held throws(LedgerError) in
        for (name, value) in choices { held[name] = value }
      }
    }
    // Other servers read them again within a minute.
    if isNew, let part = hub.known(person) {
      part.terms.forget()
      part.days?.workNow()
    }
    return found
  }

  /// Refuses values with which no day or page could be made.
  private func check(
    _ choices: [PersonChoices.Name: String?], by administrator: AuthenticatedDevice
  ) throws(RequestFailure) {
    if choices[.goals] != nil, !Self.seesGoals(administrator) {
      throw RequestFailure(
        403, "out_of_scope",
        "this token may not set goals, because it may not be used for the dashboard")
    }
    for (name, value) in choices {
      guard let value else { continue }
      guard PersonChoices.isValue(value) else {
        throw Self.invalid("/\(name.rawValue)", "\"\(name.rawValue)\" must be a text of one line")
      }
      var alone = PersonChoices()
      alone[name] = value
      do throws(LedgerError) {
        _ = try hub.own.terms.usual.with(alone)
      } catch {
        throw Self.invalid("/\(name.rawValue)", error.message)
      }
    }
  }

  // MARK: - The store and the tokens

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

  static func invalid(_ pointer: String, _ message: String) -> RequestFailure {
    RequestFailure(
      400, "invalid_request", message,
      faults: [.init(code: "invalid_request", pointer: pointer, message: message)])
  }
}
