/// Why a store could not do what was asked: what failed, on which key, and what to do next.
public struct StoreError: Error, Hashable, Sendable {
  /// The kind of failure.
  public enum Code: String, Hashable, Sendable {
    /// Credentials are missing, wrong, expired, or not allowed to do this.
    case notAuthorized
    /// The bucket or folder that should hold the objects is not there.
    case storeMissing
    /// The store can't be reached, is full, read-only, overloaded, or answers nonsense.
    case unavailable
    /// The store does not implement what was asked (501).
    case unsupported
    /// What stands in the place of this object can't be read as one: a link, a pipe, or a file that
    /// a cloud drive has not downloaded.
    case unreadable
    /// The object or answer is larger than the limit given.
    case tooLarge
    /// The request itself is wrong: a key, URL or option that no store would take.
    case invalidRequest
    /// The task was cancelled.
    case cancelled
    /// A fault of this program.
    case `internal`
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, as one clause without a full stop; never holds a secret.
  public let message: String
  /// The object concerned, if one is.
  public var key: String?
  /// What to do next.
  public var remedy: Remedy?
  /// The server's own words, such as `SlowDown (request id 7B3..)`.
  public var serverDetail: String?
  /// True where the same request may succeed later.
  public var isRetryable: Bool

  /// An error; only the code and the message are needed.
  public init(
    _ code: Code, _ message: String, key: String? = nil, remedy: Remedy? = nil,
    serverDetail: String? = nil, isRetryable: Bool = false
  ) {
    self.code = code
    self.message = message
    self.key = key
    self.remedy = remedy
    self.serverDetail = serverDetail
    self.isRetryable = isRetryable
  }
}

extension StoreError {
  /// True where something in one place can't be read, and the rest of the store can.
  package var concernsOnePlace: Bool {
    key != nil && (code == .unreadable || code == .notAuthorized)
  }
}

extension StoreError: CustomStringConvertible {
  /// One line: message, key, server detail, remedy.
  public var description: String {
    var text = message
    if let key { text += " (\(key))" }
    if let serverDetail { text += ": the server said \(serverDetail)" }
    if let remedy { text += "; \(remedy)" }
    return text
  }
}
