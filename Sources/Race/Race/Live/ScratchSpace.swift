package import HealthLedger
package import ObjectStore
import Synchronization

/// The only keys of a store to which a race may write: those below its own folder.
package struct ScratchSpace: Sendable {
  package let store: any ObjectStore
  /// The prefix of every key, without a final slash.
  package let prefix: String

  package init(store: any ObjectStore, prefix: String) {
    (self.store, self.prefix) = (store, prefix)
  }

  /// Refuses a folder that is not empty, and a store where scratch objects can't be written and
  /// removed again. Leaves nothing behind.
  ///
  /// - Parameter isOurs: called once something of the race may lie there.
  package func claim(_ isOurs: () -> Void = {}) async throws(LedgerError) {
    guard let key = ObjectKey("\(prefix)/claim") else {
      throw LedgerError(
        .invalidArguments, "the scratch folder \"\(prefix)\" can't begin a key", rule: "R17",
        remedy: "name another one, without empty, \".\" or \"..\" segments")
    }
    let there: ListPage
    let created: PutOutcome
    do {
      there = try await store.list(ListRequest(prefix: prefix + "/", limit: 1))
      // A create without a clear answer may have been applied. The delete shows it.
      created =
        there.entries.isEmpty
        ? try await store.put(key, Array("race".utf8), if: .absent) : .preconditionFailed
    } catch {
      throw LedgerError(error).beforeRace("write", key)
    }
    if let entry = there.entries.first {
      throw LedgerError(
        .invalidArguments, "the scratch folder \(prefix)/ holds data: a race would mix with it",
        key: entry.key, remedy: .chooseEmptyFolder)
    }
    if case .preconditionFailed = created {
      throw LedgerError(
        .storageUnavailable, "the store refused to create a scratch object", key: key.rawValue,
        remedy: .store(.diagnose))
    }
    isOurs()
    do throws(StoreError) {
      try await store.delete(key)
      guard try await store.get(key, limit: 64) == nil else {
        throw StoreError(
          .unavailable, "a deleted object is still there", key: key.rawValue,
          remedy: "use a store that deletes objects when asked")
      }
    } catch {
      throw LedgerError(error).beforeRace("delete", key)
    }
  }

  /// Removes every object of the folder. Checks again for writes that arrive late.
  ///
  /// - Parameter part: the prefix of the keys to remove below the folder, if not all of them.
  /// - Returns: how many were removed.
  /// - Throws: the error that prevented it, and where the remaining objects are.
  @discardableResult
  package func sweep(below part: String? = nil) async throws(LedgerError) -> Int {
    var removed = 0
    while true {
      do throws(StoreError) {
        let page = try await store.list(ListRequest(prefix: part ?? prefix + "/"))
        guard !page.entries.isEmpty else { return removed }
        try await remove(page.entries.compactMap { ObjectKey($0.key) })
        removed += page.entries.count
      } catch {
        var failure = LedgerError(error)
        failure.message = "scratch objects are left below \(prefix)/: \(failure.message)"
        failure.remedy = """
          remove all that lies there with a tool of the store; a diagnosis of the store removes what a probe has \
          left below health/v0/.probe/ an hour ago or earlier
          """
        throw failure
      }
    }
  }

  /// The folders of other races next to this one, found with one listing. Such a race is still
  /// running, or was killed before it could clean up.
  package func neighbours() async throws(LedgerError) -> [String] {
    guard let slash = prefix.lastIndex(of: "/") else { return [] }
    let folder = prefix[...slash]
    do throws(StoreError) {
      let page = try await store.list(ListRequest(prefix: String(folder)))
      let names = page.entries.compactMap { entry in
        entry.key.dropFirst(folder.count).split(separator: "/").first.map { "\(folder)\($0)" }
      }
      return Set(names).subtracting([prefix]).sorted()
    } catch {
      throw LedgerError(error)
    }
  }

  private func remove(_ keys: [ObjectKey]) async throws(StoreError) {
    for start in stride(from: 0, to: keys.count, by: 16) {
      let failure = await withTaskGroup(of: StoreError?.self) { group in
        for key in keys[start..<min(start + 16, keys.count)] {
          group.addTask {
            do throws(StoreError) {
              try await store.delete(key)
              return nil
            } catch {
              return error
            }
          }
        }
        return await group.reduce(nil) { $0 ?? $1 }
      }
      if let failure { throw failure }
    }
  }
}

/// The folders in which a race may have left objects.
package final class ScratchFolders: Sendable {
  private let prefixes: Mutex<Set<String>>

  /// - Parameter prefixes: without a final slash.
  package init(_ prefixes: Set<String> = []) { self.prefixes = Mutex(prefixes) }

  package func add(_ prefix: String) { prefixes.withLock { _ = $0.insert(prefix) } }

  package func remove(_ prefix: String) { prefixes.withLock { _ = $0.remove(prefix) } }

  package var isEmpty: Bool { prefixes.withLock(\.isEmpty) }

  /// Removes what lies in them, twice, because a request of a killed process, or of a node that died, can
  /// arrive late.
  ///
  /// - Parameter store: the store, over a node that answers.
  /// - Throws: the first error, with one for each further folder as its details.
  package func sweep(_ store: any ObjectStore) async throws(LedgerError) {
    var failures: [String: LedgerError] = [:]
    for round in 0..<2 {
      if round > 0 { try? await Task.sleep(for: .milliseconds(300)) }
      for prefix in prefixes.withLock(\.self) where failures[prefix] == nil {
        do throws(LedgerError) {
          try await ScratchSpace(store: store, prefix: prefix).sweep()
        } catch {
          failures[prefix] = error
        }
      }
    }
    prefixes.withLock { $0 = Set(failures.keys) }
    let errors = failures.sorted { $0.key < $1.key }.map(\.value)
    guard var first = errors.first else { return }
    first.details = errors.dropFirst().map { .init($0.message) }
    throw first
  }
}

extension LedgerError {
  fileprivate func beforeRace(_ verb: String, _ key: ObjectKey) -> LedgerError {
    var error = self
    error.message =
      "a race must be able to \(verb) its scratch objects, and here it can't: \(message)"
    error.key = key.rawValue
    let rights: Remedy? =
      code == .notAuthorized
      ? "allow this user to read, write, list and delete below the store's prefix" : nil
    error.remedy = .all([rights, remedy, "nothing was raced"].compactMap(\.self))
    return error
  }
}
