package import HealthLedger
package import ObjectStore

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
  package func claim() async throws(LedgerError) {
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
        failure.remedy = "remove what lies there; the race writes nothing elsewhere"
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
