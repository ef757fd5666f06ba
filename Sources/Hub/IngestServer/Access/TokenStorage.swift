import Foundation
package import ObjectStore

/// The file of a server's tokens, mode 0600, which is replaced as a whole (R54).
package struct DeviceTokenFile: Hashable, Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The tokens; none if the file does not exist.
  package func read() throws(HubServerError) -> TokenTable {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw failure("can't be read") }
      return TokenTable()
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("can't be read") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw HubServerError(.tokensInaccessible, "\(path) is not an ordinary file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw HubServerError(
        .tokensNotPrivate,
        "\(path) is accessible to other users than its owner (mode 0600 is needed)")
    }
    guard status.st_size <= TokenTable.maximumBytes else {
      throw HubServerError(.tokensDamaged, "\(path) is not a file of tokens")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("can't be read") }
      guard count > 0 else { break }
      filled += count
    }
    guard filled == bytes.count, let table = TokenTable(parsing: bytes) else {
      throw HubServerError(.tokensDamaged, "\(path) is not a file of tokens, or is damaged")
    }
    return table
  }

  /// Changes the tokens. Two programs that change them at once wait for each other.
  ///
  /// - Parameter change: returns whether to write.
  package func update<Failure: Error>(
    _ change: (inout TokenTable) throws(Failure) -> Bool
  ) throws(HubServerError) -> Result<Bool, Failure> {
    let lock: LockFile
    do throws(SystemFailure) {
      lock = try LockFile(path + ".lock")
      try lock.wait()
    } catch {
      throw failure("can't be locked", error)
    }
    defer { lock.release() }
    var table = try read()
    do throws(Failure) {
      guard try change(&table) else { return .success(false) }
    } catch {
      return .failure(error)
    }
    do throws(SystemFailure) {
      try SmallFile.replace(path, with: table.document)
    } catch {
      throw failure("can't be written", error)
    }
    return .success(true)
  }

  /// Nil if there is no file.
  func version() -> FileVersion? { FileVersion(path) }

  private func failure(
    _ what: String, _ failure: SystemFailure = SystemFailure()
  ) -> HubServerError {
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

  /// Changes the tokens. Of two programs that change them at once the second does so again, on what
  /// the first has written.
  ///
  /// - Parameter change: returns whether to write. It may be called several times.
  package func update<Failure: Error>(
    _ change: (inout TokenTable) throws(Failure) -> Bool
  ) async throws(HubServerError) -> Result<Bool, Failure> {
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
      do throws(Failure) {
        guard try change(&table) else { return .success(false) }
      } catch {
        return .failure(error)
      }
      let document = table.document
      do throws(StoreError) {
        switch try await store.put(key, document, if: etag.map(Precondition.matches) ?? .absent) {
        case .stored: return .success(true)
        case .preconditionFailed, .unknown:
          // The answer may have been lost: then the object is what was to be written.
          if let now = try await store.get(key, limit: TokenTable.maximumBytes),
            now.body == document
          {
            return .success(true)
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
