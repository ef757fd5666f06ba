import ObjectStore

extension People {
  /// How often a change is tried again after another program's change.
  private static let maximumAttempts = 16

  /// The person's settings; empty if there is no such object. One request.
  ///
  /// - Throws: `LedgerError` if the object can't be read. Then no day of the person may be made, because
  ///   its zone is unknown.
  package func choices(of id: PersonID) async throws(LedgerError) -> PersonChoices {
    try await ledger(of: id).choices()
  }

  /// Changes a person's settings. Readers see the old or the new ones. If two programs change them at
  /// once, the second applies its change again to the result of the first.
  ///
  /// - Parameter change: may be called several times. Nothing is written if it changes nothing.
  /// - Returns: the settings now, and whether they were written.
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
        // The answer may have been lost. Reading the object shows whether it was written.
        case .preconditionFailed, .unknown: break
        }
      } catch {
        throw LedgerError(error)
      }
      if try await own.choices() == choices { return (choices, true) }
    }
    throw LedgerError(
      .storageUnavailable, "other programs keep changing the settings of \(id)",
      key: key.rawValue, remedy: "try again in a minute", isRetryable: true)
  }
}

extension HealthLedger {
  /// The settings of the person who owns this ledger.
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
  /// The key of the settings of the person who owns this layout.
  fileprivate var choicesKey: ObjectKey {
    guard let key = ObjectKey(prefix + "settings.json") else {
      preconditionFailure("it is shorter than the keys of the person's days, which are valid")
    }
    return key
  }
}
