import ContentDigests
import HealthModel
import HealthReport
import Synchronization

/// Who is signed in, and who may try to (R59): for all pages of the server.
struct PageSessions: Sendable {
  private let tokens: TokenCache
  private let ended: EndedSessions
  private let attempts = Attempts()

  init(_ tokens: TokenCache, ended: EndedSessions) { (self.tokens, self.ended) = (tokens, ended) }

  /// How many wrong secrets each address has sent, in this instance alone.
  final class Attempts: Sendable {
    private let attempts = Mutex(SignInAttempts())
    private let elapsed = ElapsedTime()

    /// In how many seconds the address may try again; nil if it may now.
    func wait(_ address: String) -> Int? {
      let moment = elapsed.seconds
      return attempts.withLock { $0.wait(address, at: moment) }
    }

    func failed(_ address: String) {
      let moment = elapsed.seconds
      attempts.withLock { $0.failed(address, at: moment) }
    }
  }

  struct Current {
    let session: Session
    let token: AccessToken
    let cookie: String
  }

  /// Nil if nobody is signed in.
  func current(_ request: PageRequest) throws(RequestFailure) -> Current? {
    let table = try tokens.table()
    for cookie in request.cookies(SessionCookie.name(isSecure: request.isSecure)) {
      guard let found = Session.valid(cookie, table, at: request.at),
        !ended.contains(found.session)
      else { continue }
      return Current(session: found.session, token: found.token, cookie: cookie)
    }
    return nil
  }

  /// Who has sent a form of one of our pages.
  func sender(_ request: PageRequest) throws(RequestFailure) -> Current? {
    guard let current = try current(request) else { return nil }
    let sent = MaskedKey.key(request.form["form_key"] ?? "")
    try Self.check(request, current.session.formKey(current.token), sent: sent ?? "")
    return current
  }

  /// - Throws: 403 unless a page of our own that had the key has sent the form.
  static func check(
    _ request: PageRequest, _ key: String, sent: String
  ) throws(RequestFailure) {
    guard !request.isForeign, TokenTable.areEqual(Array(key.utf8), Array(sent.utf8)) else {
      throw RequestFailure(
        403, "foreign_form", "the form was not sent by this server’s own page; load the page again")
    }
  }

  /// Ends a session: nobody is signed in by it any more.
  func end(_ current: Current, at now: Timestamp) { ended.end(current.session, at: now) }

  enum SignIn {
    case signedIn(Session, AccessToken)
    /// With the status of the page that says so.
    case refused(Int, SignInPage.Notice)
    /// Another site's page has sent the form.
    case foreign
  }

  /// What becomes of a form with a token.
  func signIn(_ request: PageRequest) -> SignIn {
    if let seconds = attempts.wait(request.peer) {
      return .refused(429, .tooManyAttempts(seconds: seconds))
    }
    guard !request.isForeign else { return .foreign }
    let secret = Array((request.form["token"] ?? "").utf8)
    let found: AccessToken?
    do throws(RequestFailure) {
      found = try tokens.token(sending: secret)
    } catch {
      return .refused(503, .unavailable)
    }
    guard let token = found else {
      attempts.failed(request.peer)
      return .refused(403, .unknownToken)
    }
    guard token.opensPages else { return .refused(403, .wrongScope) }
    return .signedIn(Session(of: token.name, at: request.at), token)
  }

  /// When to try again, for the answer that says to wait.
  static func waiting(_ notice: SignInPage.Notice?) -> [HeaderField] {
    guard case .tooManyAttempts(let seconds) = notice else { return [] }
    return [HeaderField("Retry-After", "\(seconds)")]
  }

  /// What every page says to browsers, beside its policy.
  static let safety = [
    // Without a referrer, the forms of the page would have no origin either.
    HeaderField("Referrer-Policy", "same-origin"),
    HeaderField("X-Frame-Options", "DENY"),
    HeaderField("Cross-Origin-Opener-Policy", "same-origin"),
    HeaderField("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}

/// How many wrong tokens each address may still send (R59). Pure.
struct SignInAttempts: Hashable, Sendable {
  /// So many at once, then one in so many seconds.
  static let burst = 10.0
  static let pause = 6.0
  /// The most addresses that are remembered; the one that is nearest to be forgotten goes first.
  static let maximumAddresses = 1000

  private var debts: [String: Debt] = [:]

  private struct Debt: Hashable, Sendable {
    var attempts: Double
    var at: Double

    func left(at now: Double) -> Double { max(0, attempts - (now - at) / SignInAttempts.pause) }
  }

  /// In how many seconds the address may try again; nil if it may now.
  func wait(_ address: String, at now: Double) -> Int? {
    let left = debts[Self.network(address)]?.left(at: now) ?? 0
    guard left > Self.burst - 1 else { return nil }
    return max(1, Int(((left - (Self.burst - 1)) * Self.pause).rounded(.up)))
  }

  /// A wrong token came from the address.
  mutating func failed(_ address: String, at now: Double) {
    let network = Self.network(address)
    let left = debts[network]?.left(at: now) ?? 0
    if debts[network] == nil, debts.count >= Self.maximumAddresses {
      debts = debts.filter { $0.value.left(at: now) > 0 }
      let least = debts.min { $0.value.left(at: now) < $1.value.left(at: now) }
      if debts.count >= Self.maximumAddresses, let least { debts[least.key] = nil }
    }
    debts[network] = Debt(attempts: min(Self.burst, left + 1), at: now)
  }

  /// One household has 2^64 addresses of IPv6: they count as one.
  static func network(_ address: String) -> String {
    InternetAddress(address).map { Hex.string(Array($0.bytes.prefix(8))) } ?? address
  }
}
