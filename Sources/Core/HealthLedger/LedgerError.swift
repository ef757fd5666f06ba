package import HealthModel
public import ObjectStore

/// Why the ledger could not do what it was asked, with one of the five codes of SPEC R40.
public struct LedgerError: Error, Hashable, Sendable {
  /// The error codes that programs and agents see.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// What was asked for, or a setting, is not valid.
    case invalidArguments = "INVALID_ARGUMENTS"
    /// The store or this machine does not allow it.
    case notAuthorized = "NOT_AUTHORIZED"
    /// There is no such data.
    case dataNotFound = "DATA_NOT_FOUND"
    /// The store can't be reached or used.
    case storageUnavailable = "STORAGE_UNAVAILABLE"
    /// A bug, or a failure of this program itself.
    case `internal` = "INTERNAL"
  }

  /// One of several problems, with what to do about it.
  package struct Detail: Hashable, Sendable {
    package let message: String
    package let remedy: Remedy?

    package init(_ message: String, remedy: Remedy? = nil) {
      (self.message, self.remedy) = (message, remedy)
    }
  }

  /// Which of the five codes.
  public let code: Code
  /// What failed, as one clause without a full stop; never holds a secret.
  public var message: String
  /// The object concerned, if there is one.
  public var key: String?
  /// The rule of SPEC.md that was broken, if there is one.
  public var rule: String?
  /// Further clauses of the message, such as the single problems of an input.
  package var details: [Detail] = []
  /// What to do next.
  public var remedy: Remedy?
  /// True if the same call may succeed later.
  public var isRetryable: Bool
  /// `message` without quotations from the server; nil if it has none.
  private var unquotedMessage: String?
  /// What failed, in this program's words only, for readers that must not get text from a server.
  package var ownMessage: String { unquotedMessage ?? message }
  /// True if the store as a whole failed, so that other days would fail too.
  var concernsWholeStore = false

  /// An error of the given code.
  public init(
    _ code: Code, _ message: String, key: String? = nil, rule: String? = nil,
    remedy: Remedy? = nil, isRetryable: Bool = false
  ) {
    self.code = code
    self.message = message
    self.key = key
    self.rule = rule
    self.remedy = remedy
    self.isRetryable = isRetryable
  }

  /// A store's failure as an error of the ledger.
  public init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .notAuthorized: .notAuthorized
      case .storeMissing, .unavailable, .unreadable, .unsupported, .tooLarge, .cancelled:
        .storageUnavailable
      case .invalidRequest: .invalidArguments
      case .internal: .internal
      }
    let detail = error.serverDetail.map { ": the server said \($0)" } ?? ""
    self.init(
      code, error.message + detail, key: error.key, remedy: error.remedy.map(Remedy.store),
      isRetryable: error.isRetryable)
    unquotedMessage = error.message
    concernsWholeStore = ![.tooLarge, .unreadable, .invalidRequest].contains(error.code)
  }

  /// This error, with the store's last answer added to its message, and with that answer's remedy.
  consuming func after(_ last: StoreError?) -> Self {
    guard let last else { return self }
    let cause = LedgerError(last)
    unquotedMessage = "\(ownMessage); lastly \(cause.ownMessage)"
    message += "; lastly \(cause.message)"
    remedy = cause.remedy ?? remedy
    return self
  }
}

extension LedgerError {
  /// A day or a zone that does not exist.
  package init(_ failure: ReportingDay.Failure) {
    switch failure {
    case .unknownTimeZone(let name):
      self.init(
        .invalidArguments, "the time zone database has no \"\(name.prefix(40))\"", rule: "R4",
        remedy: .input(.nameZone))
    case .noTimeZoneDatabase:
      self.init(
        .invalidArguments, "this machine has no time zone database", rule: "R4",
        remedy: "install the package tzdata, or name the folder of the zone files with TZDIR")
    case .skippedDate(let date, let zone):
      self.init(
        .invalidArguments, "\(zone) skipped \(date): that day did not exist there", rule: "R4",
        remedy: "leave the date out, or name another zone")
    }
  }
}

extension LedgerError: CustomStringConvertible {
  /// One line: message, key, rule, remedy.
  public var description: String {
    var text = message
    if let key { text += " (\(key))" }
    if let rule { text += " [\(rule)]" }
    if let remedy { text += "; \(remedy)" }
    return text
  }
}
