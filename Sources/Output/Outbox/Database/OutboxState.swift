/// The values of the outbox that belong to no entry.
enum OutboxState: String {
  case lastUploadDate = "last_upload_date"
  case lastSuccessfulSyncDate = "last_successful_sync_date"
  case lastErrorCode = "last_error_code"
  case lastErrorMessage = "last_error_message"
  case lastErrorDate = "last_error_date"
}

extension Database {
  func setState(_ name: OutboxState, _ value: Int) throws(OutboxError) {
    let set = try statement(Self.set)
    set.bind(1, name.rawValue)
    set.bind(2, value)
    try set.run()
  }

  func setState(_ name: OutboxState, _ value: String) throws(OutboxError) {
    let set = try statement(Self.set)
    set.bind(1, name.rawValue)
    set.bind(2, value)
    try set.run()
  }

  func intState(_ name: OutboxState) throws(OutboxError) -> Int? {
    let get = try statement(Self.get)
    get.bind(1, name.rawValue)
    defer { get.reset() }
    return try get.step() ? get.optionalInt(0) : nil
  }

  func textState(_ name: OutboxState) throws(OutboxError) -> String? {
    let get = try statement(Self.get)
    get.bind(1, name.rawValue)
    defer { get.reset() }
    return try get.step() ? get.text(0) : nil
  }

  private static let set = """
    INSERT INTO state (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
    """
  private static let get = "SELECT value FROM state WHERE name = ?"
}
