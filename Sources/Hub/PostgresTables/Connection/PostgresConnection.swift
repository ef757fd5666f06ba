internal import CPostgres
import Foundation

/// One connection, used by one thread at a time. It never blocks beyond a deadline: the sockets are polled
/// here, because libpq's own time-outs do not end a wait for an answer.
final class PostgresConnection {
  /// When to give up.
  struct Deadline {
    let end: ContinuousClock.Instant
    /// Whether the caller has gone.
    let isCancelled: () -> Bool

    /// Milliseconds to wait at most; the caller's going is noticed within a tenth of a second.
    func wait() throws(PostgresError) -> Int32 {
      if isCancelled() {
        throw PostgresError(.cancelled, "the work on PostgreSQL was cancelled")
      }
      let left = end - .now
      guard left > .zero else {
        throw PostgresError(.timedOut, "PostgreSQL did not answer in time")
      }
      return Int32(min(100, left / .milliseconds(1))) + 1
    }
  }

  private let connection: OpaquePointer
  /// What the server does is not known any more: the connection must not be used again.
  private(set) var isLost = false

  private init(_ connection: OpaquePointer) { self.connection = connection }

  deinit { PQfinish(connection) }

  // MARK: - Opening

  /// Connects. A host that is not this machine must show a certificate for its name, unless the
  /// settings say otherwise. libpq looks names up while it starts and while it is polled, and can't be
  /// interrupted there.
  static func open(
    _ target: PostgresTarget, until deadline: Deadline
  ) throws(PostgresError) -> PostgresConnection {
    var settings = target.settings
    settings["client_encoding"] = "UTF8"
    settings["application_name"] = settings["application_name"] ?? "s3healthd"
    for (name, value) in [
      "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3",
    ]
    where settings[name] == nil { settings[name] = value }
    var opening = try start(settings)
    // Variables and service files are known only now; nothing has been sent yet.
    let effective = opening.effectiveSettings
    if needsVerification(settings, effective) {
      settings["sslmode"] = "verify-full"
      if effective["sslrootcert"] == nil, let bundle = authorities() {
        settings["sslrootcert"] = bundle
      }
      opening = try start(settings)
    }
    try opening.finishOpening(until: deadline)
    PQsetNoticeReceiver(opening.connection, { _, _ in }, nil)
    guard PQsetnonblocking(opening.connection, 1) == 0 else { throw opening.lost() }
    return opening
  }

  private static func start(
    _ settings: [String: String]
  ) throws(PostgresError) -> PostgresConnection {
    let pairs = settings.sorted { $0.key < $1.key }
    let (keywords, values) = (CStrings(pairs.map(\.key)), CStrings(pairs.map(\.value)))
    guard let connection = PQconnectStartParams(keywords.pointers, values.pointers, 0) else {
      throw PostgresError(.internal, "not enough memory for a connection to PostgreSQL")
    }
    let opening = PostgresConnection(connection)
    if PQstatus(connection) == CONNECTION_BAD { throw opening.openingFailure() }
    return opening
  }

  private var effectiveSettings: [String: String] {
    PQconninfo(connection).map(PostgresTarget.settings)?.filter { !$0.value.isEmpty } ?? [:]
  }

  /// Whether nobody has chosen how far to trust a host that is not this machine.
  private static func needsVerification(
    _ given: [String: String], _ effective: [String: String]
  ) -> Bool {
    guard given["sslmode"] == nil, getenv("PGSSLMODE") == nil,
      effective["sslmode"] ?? "prefer" == "prefer"
    else { return false }
    let hosts = effective["hostaddr"] ?? effective["host"] ?? ""
    return !PostgresTarget.isLocal(hosts: hosts)
  }

  /// The authorities that this machine trusts: libpq before 16 can't find them itself. Nil where the
  /// user has a file that libpq takes.
  private static func authorities() -> String? {
    if let home = getenv("HOME"),
      access(String(cString: home) + "/.postgresql/root.crt", R_OK) == 0
    {
      return nil
    }
    return [
      "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ].first { access($0, R_OK) == 0 }
  }

  private func finishOpening(until deadline: Deadline) throws(PostgresError) {
    var events = Int16(POLLOUT)
    while true {
      do throws(PostgresError) {
        try poll(events, until: deadline)
      } catch {
        throw error.code == .timedOut
          ? PostgresError(.unreachable, "PostgreSQL did not answer in time") : error
      }
      switch PQconnectPoll(connection) {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING: events = Int16(POLLIN)
      case PGRES_POLLING_WRITING: events = Int16(POLLOUT)
      default: throw openingFailure()
      }
    }
  }

  /// libpq gives no code for a connection that could not be made, only text.
  private func openingFailure() -> PostgresError {
    isLost = true
    // Each host that was tried has a line; the last one says most. What is indented is advice.
    let text = String(cString: PQerrorMessage(connection))
    let line =
      text.split(whereSeparator: \.isNewline).last { $0.first != "\t" }.map(String.init) ?? ""
    func says(_ words: String...) -> Bool { words.contains { line.firstRange(of: $0) != nil } }
    let code: PostgresError.Code =
      if says("database \""), says("does not exist") {
        .databaseMissing
      } else if says(
        "password", "authentication", "role ", "pg_hba", "does not exist",
        "permission denied for database")
      {
        .notAuthorized
      } else if says("SSL", "certificate", "TLS") {
        .tlsFailed
      } else if says("service") {
        .invalidSettings
      } else if says("too many", "remaining connection slots") {
        .exhausted
      } else {
        .unreachable
      }
    return PostgresError(code, PostgresError.shown(line))
  }

  // MARK: - Asking

  @discardableResult
  func run(_ sql: String, until deadline: Deadline) throws(PostgresError) -> PostgresResult {
    guard PQsendQuery(connection, sql) == 1 else { throw lost() }
    return try results(until: deadline)
  }

  @discardableResult
  func run(
    _ sql: String, _ parameters: [String?], until deadline: Deadline
  ) throws(PostgresError) -> PostgresResult {
    let values = CStrings(parameters)
    guard
      PQsendQueryParams(
        connection, sql, Int32(parameters.count), nil, values.pointers, nil, nil, 0) == 1
    else { throw lost() }
    return try results(until: deadline)
  }

  /// Gives the connection up. A statement that still runs ends by its own time limit, and its
  /// transaction is never committed: asking the server to cancel it could wait without end.
  func abandon() { isLost = true }

  /// Whether a transaction is open.
  var isInTransaction: Bool {
    [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(connection))
  }

  // MARK: - Waiting

  /// Waits for all answers to what was sent; the last one counts, or the first that failed.
  @discardableResult
  private func results(until deadline: Deadline) throws(PostgresError) -> PostgresResult {
    var last: PostgresResult?
    var failure: PostgresError?
    while true {
      while PQflush(connection) == 1 { try flushSome(until: deadline) }
      while PQisBusy(connection) == 1 {
        try poll(Int16(POLLIN), until: deadline)
        guard PQconsumeInput(connection) == 1 else { throw lost() }
      }
      guard let next = PQgetResult(connection) else { break }
      let result = PostgresResult(next)
      failure = failure ?? result.failure
      last = result
    }
    if PQstatus(connection) == CONNECTION_BAD { throw lost() }
    if let failure { throw failure }
    guard let last else { throw lost() }
    return last
  }

  private func flushSome(until deadline: Deadline) throws(PostgresError) {
    try poll(Int16(POLLIN | POLLOUT), until: deadline)
    guard PQconsumeInput(connection) == 1, PQflush(connection) >= 0 else { throw lost() }
  }

  private func poll(_ events: Int16, until deadline: Deadline) throws(PostgresError) {
    var descriptor = pollfd(fd: PQsocket(connection), events: events, revents: 0)
    guard descriptor.fd >= 0 else { throw lost() }
    while true {
      let ready = Foundation.poll(&descriptor, 1, try deadline.wait())
      if ready > 0 { return }
      guard ready == 0 || errno == EINTR else { throw lost() }
    }
  }

  private func lost() -> PostgresError {
    isLost = true
    return PostgresError(.connectionLost, "the connection to PostgreSQL ended")
  }
}

/// Texts for C, and a null pointer after them.
private final class CStrings {
  private var owned: [UnsafeMutablePointer<CChar>?]
  private let array: UnsafeMutablePointer<UnsafePointer<CChar>?>

  init(_ texts: [String?]) {
    owned = texts.map { $0.flatMap { strdup($0) } }
    array = .allocate(capacity: texts.count + 1)
    array.initialize(repeating: nil, count: texts.count + 1)
    for (place, text) in owned.enumerated() { array[place] = text.map { UnsafePointer($0) } }
  }

  deinit {
    for text in owned {
      guard let text else { continue }
      // One of them may be a password.
      memset(text, 0, strlen(text))
      free(text)
    }
    array.deallocate()
  }

  var pointers: UnsafePointer<UnsafePointer<CChar>?> { UnsafePointer(array) }
}

/// One answer of the server; freed with the value that holds it.
final class PostgresResult {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  var status: ExecStatusType { PQresultStatus(result) }
  var rowCount: Int { Int(PQntuples(result)) }
  var columnCount: Int { Int(PQnfields(result)) }

  /// The rows that a statement has inserted, updated or deleted.
  var changedCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// The text of a field; nil where it is null.
  subscript(row: Int, column: Int) -> String? {
    precondition((0..<rowCount).contains(row) && (0..<columnCount).contains(column))
    let (row, column) = (Int32(row), Int32(column))
    guard PQgetisnull(result, row, column) == 0, let text = PQgetvalue(result, row, column) else {
      return nil
    }
    return String(cString: text)
  }

  /// The error that the server answered; nil if the answer is not an error.
  var failure: PostgresError? {
    switch status {
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR:
      guard let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else {
        // libpq made it itself: there is no answer.
        return PostgresError(.connectionLost, "the connection to PostgreSQL ended")
      }
      let text = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
      return .answered(String(cString: state), text ?? "")
    default: return nil
    }
  }
}
