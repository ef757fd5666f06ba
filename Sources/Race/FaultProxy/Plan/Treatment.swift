/// The effect of a fault: when the server sees the request, and what the client gets.
struct Treatment: Hashable, Sendable {
  enum Sending: Hashable, Sendable {
    case never
    case once
    /// Twice in a row; the second answer is used.
    case twice
    /// Immediately, and a copy later.
    case onceAndAgainLater
    /// Only after the client has given up.
    case late
    case withoutConditions
    /// When `release()` is called.
    case whenReleased
  }

  enum Ending: Hashable, Sendable {
    case serversAnswer
    case answer(MadeUpAnswer)
    case close
    case reset
    case halfTheHead
    case halfTheBody
    /// Nothing until the client gives up.
    case silence
  }

  var sending: Sending
  var ending: Ending
  /// Whether the answer is delayed a little.
  var isSlow = false

  init(_ fault: ProxyFault?) {
    switch fault {
    case nil: self.init(.once, .serversAnswer)
    case .drop: self.init(.never, .close)
    case .lose: self.init(.once, .close)
    case .reset: self.init(.once, .reset)
    case .truncateHead: self.init(.once, .halfTheHead)
    case .truncateBody: self.init(.once, .halfTheBody)
    case .stall: self.init(.once, .silence)
    case .conflict: self.init(.never, .answer(.conflict))
    case .preconditionFailed: self.init(.never, .answer(.preconditionFailed))
    case .internalError: self.init(.never, .answer(.internalError))
    case .slowDown: self.init(.never, .answer(.slowDown))
    case .okWithError: self.init(.never, .answer(.okWithError))
    case .conflictAfter: self.init(.once, .answer(.conflict))
    case .preconditionFailedAfter: self.init(.once, .answer(.preconditionFailed))
    case .internalErrorAfter: self.init(.once, .answer(.internalError))
    case .slowDownAfter: self.init(.once, .answer(.slowDown))
    case .okWithErrorAfter: self.init(.once, .answer(.okWithError))
    case .duplicate: self.init(.onceAndAgainLater, .serversAnswer)
    case .resend: self.init(.twice, .serversAnswer)
    case .delay: self.init(.late, .silence)
    case .strip: self.init(.withoutConditions, .serversAnswer)
    case .slow:
      self.init(.once, .serversAnswer)
      isSlow = true
    case .hold: self.init(.whenReleased, .serversAnswer)
    }
  }

  private init(_ sending: Sending, _ ending: Ending) {
    (self.sending, self.ending) = (sending, ending)
  }
}
