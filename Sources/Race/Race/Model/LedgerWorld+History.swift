import HealthModel

extension LedgerWorld {
  /// The record as a history that can be stored and checked again.
  package var history: RaceHistory? {
    guard let recorder else { return nil }
    let codes = rules.automata.codes
    var history = RaceHistory(date: codes.date)
    if scenario.start == .dangling, let first = recorder.pointers.first?.code {
      history.dangling = Codes.revisionID(first)
    }
    for entry in recorder.entries {
      let operation = entry.operation
      let id = operation.value == 0 ? nil : Codes.revisionID(operation.value)
      let observation: RaceHistory.Observation
      if operation.kind == .read {
        observation = .read(id)
      } else if let id {
        observation = .write(
          id, digest: entry.body == 0 ? nil : codes.digest(entry.body),
          requests: entry.requests == 0 ? nil : entry.requests,
          movesPointer: entry.client >= 0 && scenario.movesPointer)
      } else {
        continue
      }
      history.events.append(
        .init(
          client: Self.name(entry.client), from: operation.from,
          to: operation.to == RegisterOperation.open ? nil : operation.to,
          observation: observation))
    }
    // And a final check of everything at the end.
    for (time, code) in recorder.pointers + [(recorder.time, state.pointer)] {
      let pointer: RaceHistory.Pointer =
        code == 0 ? .absent : code == Codes.corrupt ? .corrupt : .names(Codes.revisionID(code))
      history.events.append(
        .init(client: "store", from: time, to: time, observation: .pointer(pointer)))
    }
    for revision in state.revisions {
      let observation = RaceHistory.Observation.revision(
        Codes.revisionID(revision.id), digest: codes.digest(revision.body))
      history.events.append(
        .init(client: "store", from: recorder.time, to: recorder.time, observation: observation))
    }
    return history
  }

  private static func name(_ client: Int) -> String {
    client < 0 ? "before" : client < 100 ? "writer-\(client + 1)" : "reader-\(client - 99)"
  }
}
