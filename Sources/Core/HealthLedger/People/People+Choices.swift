import ObjectStore

extension People {
  /// How often a change is made again that another one was faster than.
  private static let maximumAttempts = 16

  /// What a person has chosen; nothing if there is no such object. One request.
  ///
  /// - Throws: `LedgerError` if the object can't be read. Nothing may be made for the person then: a
  ///   day in another zone would stay in it.
  package func choices(of id: PersonID) async throws(LedgerError) -> PersonChoices {
    try await ledger(of: id).choices()
  }

  /// Changes what a person has chosen: readers see what it was or what it is, and of two who change
  /// it at once the second does so again, on what the first has written.
  ///
  /// - Parameter change: may be called several times. Nothing is written if it changes nothing.
  /// - Returns: what is chosen now, and whether that was written.
  package func change(
    _ id: PersonID, _ change: (inout PersonChoices) throws(LedgerError) -> Void
  ) async throws(LedgerError) -> (choices: PersonChoices, isNew: Bool) {
    let own = try ledger(of: id)
    let key = own.layout.choicesKey
    for _ in 0..<Self.maximumAttempts {
      let (held, etag) = try await own.held()
      var choices = held
      try change(&choices)
      if choices == held { return (choices, false) }
      do throws(StoreError) {
        guard try await shared.store.conditionalWrites() == .compareAndSwap else {
          throw StoreError(
            .unsupported, "the store can't replace an object only if it has not changed")
        }
        switch try await shared.store.put(
          key, choices.document, if: etag.map(Precondition.matches) ?? .absent)
        {
        case .stored: return (choices, true)
        // The answer may have been lost: what is there then says whether it was written.
        case .preconditionFailed, .unknown: break
        }
      } catch {
        throw LedgerError(error)
      }
      if try await own.choices() == choices { return (choices, true) }
    }
    throw LedgerError(
      .storageUnavailable, "the settings of \(id) are changed by others again and again",
      key: key.rawValue, remedy: "try again in a minute", isRetryable: true)
  }
}

extension HealthLedger {
  /// What the person whose ledger this is has chosen.
  package func choices() async throws(LedgerError) -> PersonChoices { try await held().choices }

  fileprivate func held() async throws(LedgerError) -> (choices: PersonChoices, etag: ETag?) {
    let key = layout.choicesKey
    let object: StoredObject?
    do throws(StoreError) {
      object = try await store.get(key, limit: PersonChoices.maximumBytes)
    } catch {
      throw LedgerError(error)
    }
    guard let object else { return (PersonChoices(), nil) }
    guard let choices = PersonChoices(parsing: object.body) else {
      throw LedgerError(
        .storageUnavailable, "a person's settings can't be read", key: key.rawValue, rule: "R64",
        remedy: "remove the object with a tool of the store, then set the values again")
    }
    return (choices, object.etag)
  }
}

extension LedgerLayout {
  /// The key of what the person has chosen whose layout this is.
  fileprivate var choicesKey: ObjectKey {
    guard let key = ObjectKey(prefix + "settings.json") else {
      preconditionFailure("it is shorter than the keys of the person's days, which are valid")
    }
    return key
  }
}
