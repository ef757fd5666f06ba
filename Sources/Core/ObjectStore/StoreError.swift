/// Why a store could not do what it was asked: what failed, for which key, and what to do next.
public struct StoreError: Error, Hashable, Sendable {
  /// The kind of failure.
  public enum Code: String, Hashable, Sendable {
    /// Credentials are missing, wrong, expired, or not allowed to do this.
    case notAuthorized
    /// The bucket or folder that should hold the objects does not exist.
    case storeMissing
    /// The store can't be reached, is full, read-only or overloaded, or gives invalid answers.
    case unavailable
    /// The store does not implement the request (501).
    case unsupported
    /// Something other than a readable object has this name: a link, a pipe, a file that a cloud drive
    /// has not downloaded, or other bytes than were stored.
    case unreadable
    /// The object or the answer is larger than the limit.
    case tooLarge
    /// The request itself is wrong: a key, URL or option that no store would accept.
    case invalidRequest
    /// The task was cancelled.
    case cancelled
    /// A bug in this program.
    case `internal`
  }

  /// What a caller that tries again later must tell apart, where the store knows it.
  public enum Cause: String, Hashable, Sendable {
    /// No name, no route, no connection: nothing answered.
    case noConnection
    /// The answer did not come in time.
    case timeout
    /// The store, its disk or its quota is full.
    case full
    /// The file system, or the rights of these credentials in the bucket, do not allow it.
    case permission
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, as one clause without a full stop; never holds a secret.
  public let message: String
  /// The object concerned, if there is one.
  public var key: String?
  /// What to do next.
  public var remedy: Remedy?
  /// The server's own words, such as `SlowDown (request id 7B3..)`.
  public var serverDetail: String?
  /// True if the same request may succeed later.
  public var isRetryable: Bool
  /// The cause, if it is one of those that callers tell apart.
  public var cause: Cause?
  /// What came in place of the object, where the store's own checksum says that other bytes were stored.
  public var damaged: StoredObject?

  /// An error. Only the code and the message are required.
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
  /// True if only one object or folder can't be read, and the rest of the store can.
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
