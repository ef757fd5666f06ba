import HealthModel
import ObjectStore
import Synchronization

/// The tokens while a server runs (R54). A file is read again soon after it has changed, an object
/// every few seconds, so that a token that was revoked is refused within seconds.
package final class TokenCache: Sendable {
  private enum Source {
    case file(DeviceTokenFile)
    case object(TokenObject)
  }

  private let source: Source
  private let state: Mutex<State>
  /// A reread caused by an unknown token.
  private let rereading = Mutex<Task<Void, Never>?>(nil)
  /// Seconds that pass, wherever the clock stands.
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

  /// - Throws: `HubServerError` if the file can't be used.
  package init(_ file: DeviceTokenFile) throws(HubServerError) {
    source = .file(file)
    elapsed = Self.clock()
    let version = file.version()
    state = Mutex(State(table: try file.read(), version: version))
  }

  /// The tokens of an object. Nobody is let in before `run` has read it.
  package init(_ object: TokenObject) {
    source = .object(object)
    elapsed = Self.clock()
    state = Mutex(State())
  }

  /// With a clock of the caller's.
  init(_ object: TokenObject, elapsed: @escaping @Sendable () -> Double) {
    source = .object(object)
    self.elapsed = elapsed
    state = Mutex(State())
  }

  private static func clock() -> @Sendable () -> Double {
    let begun = ContinuousClock.now
    return { (ContinuousClock.now - begun) / .seconds(1) }
  }

  /// The tokens that are valid now.
  ///
  /// - Throws: `HubServerError` if they could not be read, or not recently. Then nobody is let in.
  func table() throws(HubServerError) -> TokenTable { try table(notBefore: Self.filePause) }

  /// The token whose secret was sent. One that nobody knows is looked for in the file again: it may be
  /// new, and an app may delete what it has queued when it is refused. To look takes a millionth of a
  /// second, and the file is read only where it has changed.
  func token(sending secret: [UInt8]) throws(HubServerError) -> AccessToken? {
    if let token = try table().token(sending: secret) { return token }
    return try table(notBefore: 0).token(sending: secret)
  }

  /// The agent whose token for this resource was sent (R63). Another instance may have given it out a
  /// moment ago, so the tokens are read again for an unknown one.
  func agent(
    reading secret: GrantSecret, for resource: String?, at now: Timestamp
  ) async throws(HubServerError) -> AuthenticatedDevice? {
    var table = try table()
    var found = table.grant(reading: secret, at: now)
    if found == nil {
      if case .object = source { await readAgain() }
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
  ) async throws(HubServerError) -> Value {
    let begun = elapsed()
    var outcome: (value: Value, table: TokenTable)?
    func changing(_ table: inout TokenTable) throws(Never) -> Bool {
      let before = table
      let value = change(&table)
      outcome = (value, table)
      return table != before
    }
    switch source {
    case .file(let file): _ = try file.update(changing)
    case .object(let object): _ = try await object.update(changing)
    }
    guard let outcome else {
      throw HubServerError(.tokensInaccessible, "the tokens could not be changed")
    }
    state.withLock { state in
      // Without a version the file is read again soon: others may have changed it since.
      (state.table, state.version, state.readAt) = (outcome.table, nil, begun)
      state.failure = nil
    }
    return outcome.value
  }

  private func table(notBefore pause: Double) throws(HubServerError) -> TokenTable {
    let now = elapsed()
    let result: Result<TokenTable, HubServerError> = state.withLock { state in
      switch source {
      case .file(let file): Self.table(file, &state, at: now, notBefore: pause)
      case .object: Self.table(state, at: now)
      }
    }
    return try result.get()
  }

  private static func table(
    _ file: DeviceTokenFile, _ state: inout State, at now: Double, notBefore pause: Double
  ) -> Result<TokenTable, HubServerError> {
    if let table = state.table, now - state.readAt < pause { return .success(table) }
    // The version is taken first: a change between the two is seen at the next look.
    let version = file.version()
    do throws(HubServerError) {
      let table: TokenTable
      if let held = state.table, version == state.version, version != nil {
        table = held
      } else {
        table = try file.read()
      }
      (state.table, state.version, state.readAt) = (table, version, now)
      return .success(table)
    } catch {
      return .failure(error)
    }
  }

  private static func table(_ state: State, at now: Double) -> Result<TokenTable, HubServerError> {
    if let failure = state.failure, failure.code == .tokensDamaged { return .failure(failure) }
    guard let table = state.table, now - state.readAt <= maximumAge else {
      return .failure(
        state.failure ?? HubServerError(.tokensInaccessible, "the tokens were not read yet"))
    }
    return .success(table)
  }

  /// Reads the object again and again until it is cancelled. Does nothing for a file.
  package func run() async {
    guard case .object = source else { return }
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
    guard case .object(let object) = source else { return }
    let begun = elapsed()
    let result = await TimeLimit.run(Self.objectLimit) {
      do throws(HubServerError) {
        return Result<TokenTable, HubServerError>.success(try await object.read())
      } catch {
        return .failure(error)
      }
    }
    // The server ends: that is not a failure of the store.
    if Task.isCancelled { return }
    let late = HubServerError(
      .tokensInaccessible, "the tokens were not read within \(Self.objectLimit) seconds")
    state.withLock { state in
      switch result ?? .failure(late) {
      case .success(let table):
        (state.table, state.readAt, state.failure) = (table, begun, nil)
      case .failure(let error): state.failure = error
      }
    }
  }
}
