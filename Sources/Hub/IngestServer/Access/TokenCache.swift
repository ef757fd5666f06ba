import HealthModel
import ObjectStore
import Synchronization

/// The tokens while a server runs (R54). A file is read again soon after it has changed, an object
/// every few seconds, so that a token that was revoked is refused within seconds.
package final class TokenCache: Sendable {
  private let place: TokenPlace
  private let state: Mutex<State>
  /// A reread caused by an unknown token.
  private let rereading = Mutex<Task<Void, Never>?>(nil)
  private let elapsed: @Sendable () -> Double

  /// How long the file is not looked at, in seconds.
  private static let filePause = 1.0
  /// How long the object is not read, in seconds.
  static let objectPause = 3.0
  /// The same for an unknown token, which may be new.
  private static let objectStrangePause = 0.3
  /// How long one reading of the object may take, in seconds.
  private static let objectLimit = 5
  /// How long the tokens hold that were read last, in seconds, while the bucket can't be read.
  static let maximumAge = 300.0

  private struct State {
    /// Nil before the first reading.
    var table: TokenTable?
    var version: FileVersion?
    var readAt = 0.0
    /// Why the object holds no tokens, or could not be read.
    var failure: HubServerError?
  }

  /// A file is read at once, an object by `run`: before that nobody is let in.
  ///
  /// - Parameter elapsed: seconds since any fixed moment; nil for those of the machine.
  /// - Throws: `HubServerError` if the file can't be used.
  package init(
    _ place: TokenPlace, elapsed: (@Sendable () -> Double)? = nil
  ) throws(HubServerError) {
    let time = ElapsedTime()
    (self.place, self.elapsed) = (place, elapsed ?? { time.seconds })
    var state = State()
    if case .file(let file) = place {
      state.version = file.version()
      state.table = try file.read()
    }
    self.state = Mutex(state)
  }

  /// The tokens that are valid now.
  ///
  /// - Throws: `RequestFailure` if they could not be read, or not recently. Then nobody is let in.
  func table() throws(RequestFailure) -> TokenTable { try table(notBefore: Self.filePause) }

  /// The token whose secret was sent. One that nobody knows is looked for in the file again: it may be
  /// new, and an app may delete what it has queued when it is refused. To look takes a millionth of a
  /// second, and the file is read only where it has changed.
  func token(sending secret: [UInt8]) throws(RequestFailure) -> AccessToken? {
    if let token = try table().token(sending: secret) { return token }
    return try table(notBefore: 0).token(sending: secret)
  }

  /// The agent whose token for this resource was sent (R63). Another instance may have given it out a
  /// moment ago, so the tokens are read again for an unknown one.
  func agent(
    reading secret: GrantSecret, for resource: String?, at now: Timestamp
  ) async throws(RequestFailure) -> AuthenticatedDevice? {
    var table = try table()
    var found = table.grant(reading: secret, at: now)
    if found == nil {
      if case .object = place { await readAgain() }
      table = try self.table(notBefore: 0)
      found = table.grant(reading: secret, at: now)
    }
    // A token for the same server by another name is not for this one.
    guard let found, found.resource == resource else { return nil }
    return table.device(of: found)
  }

  /// Changes the tokens. What is returned is written; who asks next sees it.
  ///
  /// - Parameter change: may be called several times. Nothing is written if it changes nothing.
  func change<Value>(
    _ change: (inout TokenTable) -> Value
  ) async throws(RequestFailure) -> Value {
    let begun = elapsed()
    do throws(HubServerError) {
      let (value, table) = try await place.change { table in (change(&table), table) }
      state.withLock { state in
        // Without a version the file is read again soon: others may have changed it since.
        (state.table, state.version, state.readAt) = (table, nil, begun)
        state.failure = nil
      }
      return value
    } catch {
      throw .unavailable("the server can't change its tokens at the moment", cause: error.message)
    }
  }

  private func table(notBefore pause: Double) throws(RequestFailure) -> TokenTable {
    let now = elapsed()
    do throws(HubServerError) {
      return try state.withLock { (state) throws(HubServerError) in
        switch place {
        case .file(let file): try Self.table(file, &state, at: now, notBefore: pause)
        case .object: try Self.table(state, at: now)
        }
      }
    } catch {
      throw .unavailable("the server can't read its tokens at the moment", cause: error.message)
    }
  }

  private static func table(
    _ file: DeviceTokenFile, _ state: inout State, at now: Double, notBefore pause: Double
  ) throws(HubServerError) -> TokenTable {
    if let table = state.table, now - state.readAt < pause { return table }
    // The version is taken first: a change between the two is seen at the next look.
    let version = file.version()
    let table =
      if let held = state.table, version == state.version, version != nil {
        held
      } else {
        try file.read()
      }
    (state.table, state.version, state.readAt) = (table, version, now)
    return table
  }

  private static func table(_ state: State, at now: Double) throws(HubServerError) -> TokenTable {
    if let failure = state.failure, failure.code == .tokensDamaged { throw failure }
    guard let table = state.table, now - state.readAt <= maximumAge else {
      throw state.failure ?? HubServerError(.tokensInaccessible, "the tokens were not read yet")
    }
    return table
  }

  /// Reads the object again and again until it is cancelled. Does nothing for a file.
  package func run() async {
    guard case .object = place else { return }
    while !Task.isCancelled {
      await read()
      try? await Task.sleep(for: .seconds(Self.objectPause))
    }
  }

  /// Reads the object now, unless that was done a moment ago; who asks meanwhile waits for the same
  /// reading.
  private func readAgain() async {
    let task = rereading.withLock { task in
      if let task { return task }
      let made = Task {
        let age = elapsed() - state.withLock(\.readAt)
        if age < Self.objectStrangePause {
          try? await Task.sleep(for: .seconds(Self.objectStrangePause - age))
        }
        rereading.withLock { $0 = nil }
        await read()
      }
      task = made
      return made
    }
    await task.value
  }

  /// Reads the object once; what it holds counts from before the reading on.
  func read() async {
    guard case .object(let object) = place else { return }
    let begun = elapsed()
    let late = HubServerError(
      .tokensInaccessible, "the tokens were not read within \(Self.objectLimit) seconds")
    do throws(HubServerError) {
      let table = try await TimeLimit.run(Self.objectLimit, orThrow: late) {
        () async throws(HubServerError) in try await object.read()
      }
      state.withLock { ($0.table, $0.readAt, $0.failure) = (table, begun, nil) }
    } catch {
      // If the server ends, that is not a failure of the store.
      if !Task.isCancelled { state.withLock { $0.failure = error } }
    }
  }
}
