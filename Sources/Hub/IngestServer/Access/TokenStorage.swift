import Foundation
package import ObjectStore

/// Where the tokens of a server are (R54).
package enum TokenPlace: Sendable {
  case file(DeviceTokenFile)
  case object(TokenObject)

  /// For people.
  package var name: String {
    switch self {
    case .file(let file): file.path
    case .object(let object): object.name
    }
  }

  /// The tokens; none if there are none yet.
  package func read() async throws(HubServerError) -> TokenTable {
    switch self {
    case .file(let file): try file.read()
    case .object(let object): try await object.read()
    }
  }

  /// Changes the tokens; writes nothing if that changes nothing.
  ///
  /// - Parameter change: may be called several times.
  package func change<Value>(
    _ change: (inout TokenTable) -> Value
  ) async throws(HubServerError) -> Value {
    switch self {
    case .file(let file): try file.change(change)
    case .object(let object): try await object.change(change)
    }
  }
}

/// The file of a server's tokens, mode 0600, which is replaced as a whole (R54).
package struct DeviceTokenFile: Hashable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The tokens; none if the file does not exist.
  package func read() throws(HubServerError) -> TokenTable {
    let bytes: [UInt8]
    do throws(SmallFile.TrustFailure) {
      bytes = try SmallFile.readTrusted(
        path, maximumBytes: TokenTable.maximumBytes, isSecret: true)
    } catch {
      switch error {
      case .system(let error) where error.number == ENOENT: return TokenTable()
      case .system(let error): throw failure("can't be read", error)
      case .notAFile:
        throw HubServerError(.tokensInaccessible, "\(path) is not an ordinary file")
      case .foreign:
        throw HubServerError(.tokensInaccessible, "\(path) belongs to another user")
      case .openToOthers:
        throw HubServerError(
          .tokensNotPrivate,
          "\(path) is accessible to other users than its owner (mode 0600 is needed)")
      }
    }
    guard let table = TokenTable(parsing: bytes) else {
      throw HubServerError(.tokensDamaged, "\(path) is not a file of tokens, or is damaged")
    }
    return table
  }

  /// Two programs that change the tokens at once wait for each other.
  fileprivate func change<Value>(
    _ change: (inout TokenTable) -> Value
  ) throws(HubServerError) -> Value {
    let lock: LockFile
    do throws(SystemFailure) {
      lock = try LockFile(path + ".lock")
      try lock.wait()
    } catch {
      throw failure("can't be locked", error)
    }
    defer { lock.release() }
    let held = try read()
    var table = held
    let value = change(&table)
    guard table != held else { return value }
    do throws(SystemFailure) {
      try SmallFile.replace(path, with: table.document)
    } catch {
      throw failure("can't be written", error)
    }
    return value
  }

  /// Nil if there is no file.
  func version() -> FileVersion? { FileVersion(path) }

  private func failure(_ what: String, _ failure: SystemFailure) -> HubServerError {
    HubServerError(.tokensInaccessible, "\(path) \(what): \(failure.reason)")
  }
}

/// The tokens of the instances that share a bucket: one object in a prefix of its own, which is
/// replaced by compare-and-swap (R54).
package struct TokenObject: Sendable {
  private let store: any ObjectStore
  private let key: ObjectKey

  /// The object's name for people.
  package var name: String { key.rawValue }

  /// Nil if the prefix is too long for a key.
  ///
  /// - Parameter prefix: that of the store; empty, or with a `/` at its end.
  package init?(_ store: any ObjectStore, prefix: String) {
    guard let key = ObjectKey(prefix + ".s3healthd/tokens.json") else { return nil }
    (self.store, self.key) = (store, key)
  }

  /// The tokens; none if there is no object.
  package func read() async throws(HubServerError) -> TokenTable { try await held().table }

  private func held() async throws(HubServerError) -> (table: TokenTable, etag: ETag?) {
    let found: StoredObject?
    do throws(StoreError) {
      found = try await store.get(key, limit: TokenTable.maximumBytes)
    } catch {
      throw failure("can't be read", error)
    }
    guard let found else { return (TokenTable(), nil) }
    guard let table = TokenTable(parsing: found.body) else {
      throw HubServerError(
        .tokensDamaged, "the object \(name) is not a file of tokens, or is damaged")
    }
    return (table, found.etag)
  }

  /// How often a change is tried again after another program's change.
  private static let maximumAttempts = 16

  /// Of two programs that change the tokens at once the second does so again, on what the first has
  /// written.
  func change<Value>(
    _ change: (inout TokenTable) -> Value
  ) async throws(HubServerError) -> Value {
    do throws(StoreError) {
      guard try await store.conditionalWrites() == .compareAndSwap else {
        throw StoreError(
          .unsupported, "the store can't replace an object only if it has not changed")
      }
    } catch {
      throw failure("can't be written", error)
    }
    for _ in 0..<Self.maximumAttempts {
      let (held, etag) = try await held()
      var table = held
      let value = change(&table)
      guard table != held else { return value }
      let document = table.document
      do throws(StoreError) {
        switch try await store.put(key, document, if: etag.map(Precondition.matches) ?? .absent) {
        case .stored: return value
        case .preconditionFailed, .unknown:
          // The answer may have been lost: then the object is what was to be written.
          if let now = try await store.get(key, limit: TokenTable.maximumBytes),
            now.body == document
          {
            return value
          }
        }
      } catch {
        throw failure("can't be written", error)
      }
    }
    throw HubServerError(
      .tokensInaccessible, "the object \(name) is changed by others again and again")
  }

  private func failure(_ what: String, _ error: StoreError) -> HubServerError {
    HubServerError(.tokensInaccessible, "the object \(name) \(what): \(error.message)")
  }
}
