import HealthModel
import ObjectStore

/// The people of a store that many share (R64).
package struct People: Sendable {
  /// The ledger of the store that they share.
  let shared: HealthLedger

  package init(of shared: HealthLedger) { self.shared = shared }

  /// Who there is.
  package struct Found: Hashable, Sendable {
    /// In the order of their bytes.
    package fileprivate(set) var ids: [PersonID] = []
    /// Names below `people/` that are not ids of people, and what can't be opened there.
    package fileprivate(set) var foreign: [Foreign] = []
    /// How many more foreign names there are than are kept.
    package fileprivate(set) var foreignOmitted = 0
  }

  /// Something below `people/` that is not a person.
  package struct Foreign: Hashable, Sendable {
    package let key: String
    package let reason: String
  }

  /// The most foreign names that are kept.
  static let maximumForeign = 1000
  /// The most people of a store, so that memory stays bounded.
  static let maximumPeople = 1_000_000

  /// A person's own ledger: below `people/{id}/`, in the same store and with the same cache.
  package func ledger(of id: PersonID) throws(LedgerError) -> HealthLedger {
    try shared.relaid(to: shared.layout.person(id))
  }

  /// One of them; nil where there is nobody, or where whoever asks may not look. One request.
  package func anybody() async throws(LedgerError) -> PersonID? {
    do throws(LedgerError) {
      return try await list(atLeast: 1).ids.first
    } catch  where error.code == .notAuthorized {
      return nil
    }
  }

  /// Lists the people: one request per thousand people, and none below them.
  ///
  /// - Parameter count: how many suffice; nil for all.
  package func list(
    atLeast count: Int? = nil, progress: (Int) -> Void = { _ in }
  ) async throws(LedgerError) -> Found {
    var found = Found()
    var request = ListRequest(prefix: shared.layout.peoplePrefix)
    request.isShallow = true
    do throws(StoreError) {
      while true {
        let page = try await shared.store.list(request)
        for folder in page.folders { found.add(folder: folder, below: request.prefix) }
        for entry in page.entries where entry.key != request.prefix { found.add(entry) }
        guard found.ids.count <= Self.maximumPeople else {
          throw StoreError(
            .tooLarge, "more than \(Self.maximumPeople) people below \(request.prefix)",
            remedy: "give each group of them a prefix or a bucket of its own")
        }
        progress(found.ids.count)
        guard let next = page.next, count.map({ found.ids.count < $0 }) ?? true else { break }
        request.continuation = next
      }
    } catch {
      throw LedgerError(error)
    }
    found.ids.sort()
    return found
  }

  /// Whether anything lies below a person's prefix.
  package func holds(_ id: PersonID) async throws(LedgerError) -> Bool {
    try await ledger(of: id).holdsAnything()
  }

  /// Throws if an object has the name of a person's prefix. In a folder nothing can be stored below it,
  /// so the person must not be reported as having no days.
  package func checkPlace(of id: PersonID) async throws(LedgerError) {
    let name = "\(shared.layout.peoplePrefix)\(id)"
    do throws(StoreError) {
      // It sorts before all longer keys.
      let page = try await shared.store.list(ListRequest(prefix: name, limit: 1))
      guard page.entries.first?.key == name else { return }
    } catch {
      throw LedgerError(error)
    }
    throw LedgerError(
      .storageUnavailable, "an object is where the data of \(id) should be", key: name, rule: "R64",
      remedy: "remove it with a tool of the store")
  }

  /// Makes a person exist before the first day.
  ///
  /// - Returns: false if `person.json` was there before.
  package func add(_ id: PersonID) async throws(LedgerError) -> Bool {
    let key = try shared.layout.personKey(id)
    let now = await shared.correctedNow()
    let body = JSONValue.object(["format": .string("person.v0"), "added_at": .string("\(now)")])
    do throws(StoreError) {
      switch try await shared.store.put(key, body.canonicalBytes, if: .absent) {
      case .stored: return true
      case .preconditionFailed: return false
      case .unknown(let error):
        // Whoever wrote it, it is there for good.
        guard try await shared.store.get(key, limit: 65_536) != nil else { throw error }
        return true
      }
    } catch {
      throw LedgerError(error)
    }
  }
}

extension People.Found {
  fileprivate mutating func add(folder: String, below prefix: String) {
    let name = folder.dropFirst(prefix.count).dropLast()
    if let id = PersonID(name) {
      ids.append(id)
    } else {
      add(folder, "no id of a person: \(PersonID.form)")
    }
  }

  fileprivate mutating func add(_ entry: ListEntry) {
    add(entry.key, entry.obstacle?.message ?? "an object beside the people's prefixes")
  }

  private mutating func add(_ key: String, _ reason: String) {
    guard foreign.count < People.maximumForeign else {
      foreignOmitted += 1
      return
    }
    foreign.append(People.Foreign(key: key, reason: reason))
  }
}

extension LedgerLayout {
  /// The key of the object that makes a person exist before the first day.
  func personKey(_ id: PersonID) throws(LedgerError) -> ObjectKey {
    let text = try person(id).prefix + "person.json"
    guard let key = ObjectKey(text) else {
      preconditionFailure("it is shorter than the keys of the person's days, which are valid")
    }
    return key
  }
}

extension HealthLedger {
  /// Whether there is any object below the ledger's prefix. A person without one does not exist (R64).
  package func holdsAnything() async throws(LedgerError) -> Bool {
    do {
      return !(try await store.list(ListRequest(prefix: layout.prefix, limit: 1))).entries.isEmpty
    } catch {
      throw LedgerError(error)
    }
  }
}
