import HealthModel

/// One promise that a recorded history shows to be broken, with the events that show it.
package struct HistoryFinding: Hashable, Sendable {
  package enum Oracle: String, CaseIterable, Hashable, Sendable {
    /// No order of the reads and publishes is that of a max-register.
    case linearizability
    /// A resolve returned less than what was acknowledged before it began.
    case acknowledgedUnread = "acknowledged_unread"
    /// A client got less than it had itself read or published before.
    case session
    /// The raw pointer went back or was lost.
    case pointerMonotone = "pointer_monotone"
    /// The raw pointer named a revision that did not exist.
    case pointerDangling = "pointer_dangling"
    /// After a publish was acknowledged, the pointer was below it.
    case pointerBehind = "pointer_behind"
    /// An acknowledged revision was gone, or had other bytes.
    case revisionLost = "revision_lost"
    /// At rest a metric showed a number that a later publish had replaced, or none (R20).
    case wordLost = "word_lost"
    /// A publish made more requests than allowed.
    case boundedAttempts = "bounded_attempts"
  }

  package let oracle: Oracle
  /// One sentence.
  package let message: String
  /// Indices of the events concerned, the earliest first.
  package let events: [Int]
}

extension RaceHistory {
  /// Every oracle's first finding; empty where the history keeps all promises.
  package func findings() -> [HistoryFinding] {
    [
      acknowledgedUnread(), session(), linearizability(), pointerMonotone(), pointerBehind(),
      pointerDangling(), revisionLost(), wordLost(), boundedAttempts(),
    ].compactMap(\.self)
  }

  func linearizability() -> HistoryFinding? {
    var places: [Int] = []
    var ids: [RevisionID] = []
    for (index, event) in events.enumerated() {
      switch event.observation {
      case .write(let id, _, _, _), .read(.some(let id)): ids.append(id)
      case .read(nil): break
      case .pointer, .revision, .said, .shown: continue
      }
      places.append(index)
    }
    var ranks: [RevisionID: Int] = [:]
    for id in Set(ids).sorted() { ranks[id] = ranks.count + 1 }
    let operations = places.map { place in
      let event = events[place]
      return switch event.observation {
      case .write(let id, _, _, _):
        RegisterOperation(.write, ranks[id] ?? 0, from: event.from, to: event.to ?? .max)
      case .read(let id):
        RegisterOperation(
          .read, id.flatMap { ranks[$0] } ?? 0, from: event.from, to: event.to ?? .max)
      case .pointer, .revision, .said, .shown: RegisterOperation(.read, 0, from: event.from)
      }
    }
    guard let refutation = MaxRegisterChecker.refute(operations) else { return nil }
    let concerned = Set([refutation.read, refutation.early, refutation.late].map { places[$0] })
    guard case .read(let value) = events[places[refutation.read]].observation else { return nil }
    let text = value.map { "\($0)" } ?? "nothing"
    let message =
      switch refutation.reason {
      case .neverWritten: "a reader got \(text), which nobody had published"
      case .tooLow:
        "a reader got \(text), but no order of the publishes and reads explains it"
      }
    return HistoryFinding(
      oracle: .linearizability, message: message, events: concerned.sorted())
  }

  private func pointerMonotone() -> HistoryFinding? {
    let looks = events.indices.compactMap { index -> Sweep.Item? in
      guard case .pointer(let pointer) = events[index].observation else { return nil }
      return Sweep.Item(event: index, value: pointer.id)
    }
    return Sweep(events).firstFall(from: looks, to: looks).map { earlier, later in
      HistoryFinding(
        oracle: .pointerMonotone,
        message: "latest.json went from \(name(earlier)) to \(name(later))",
        events: [earlier, later])
    }
  }

  private func pointerBehind() -> HistoryFinding? {
    var looks: [Sweep.Item] = []
    var acknowledged: [Sweep.Item] = []
    for (index, event) in events.enumerated() {
      switch event.observation {
      case .pointer(let pointer): looks.append(.init(event: index, value: pointer.id))
      case .write(let id, _, _, true) where event.to != nil:
        acknowledged.append(.init(event: index, value: id))
      default: break
      }
    }
    return Sweep(events).firstFall(from: acknowledged, to: looks).map { earlier, later in
      HistoryFinding(
        oracle: .pointerBehind,
        message: "\(name(earlier)) was acknowledged, and then latest.json named \(name(later))",
        events: [earlier, later])
    }
  }

  private func pointerDangling() -> HistoryFinding? {
    var firstNamed: [RevisionID: Int] = [:]
    for (index, event) in events.enumerated() {
      guard case .pointer(.names(let id)) = event.observation, id != dangling else { continue }
      if let known = firstNamed[id], ends(known) <= ends(index) { continue }
      firstNamed[id] = index
    }
    for (index, event) in events.enumerated() {
      guard case .revision(let id, nil) = event.observation, let named = firstNamed[id],
        ends(named) <= event.from
      else { continue }
      return HistoryFinding(
        oracle: .pointerDangling,
        message: "latest.json named \(id), and then there was no such revision",
        events: [named, index])
    }
    return nil
  }

  private func revisionLost() -> HistoryFinding? {
    var acknowledged: [RevisionID: Int] = [:]
    for (index, event) in events.enumerated() {
      guard case .write(let id, _, _, _) = event.observation, event.to != nil else { continue }
      if let known = acknowledged[id], ends(known) <= ends(index) { continue }
      acknowledged[id] = index
    }
    // Writers of the same data may share an id (R21). The store has what the first of them sent.
    var sent: [RevisionID: [(event: Int, digest: String)]] = [:]
    for (index, event) in events.enumerated() {
      guard case .write(let id, .some(let digest), _, _) = event.observation else { continue }
      sent[id, default: []].append((index, digest))
    }
    var read: [RevisionID: (event: Int, digest: String)] = [:]
    for (index, event) in events.enumerated() {
      guard case .revision(let id, let digest) = event.observation else { continue }
      if let digest {
        let known = read[id].map { [$0] } ?? sent[id] ?? []
        read[id] = read[id] ?? (index, digest)
        guard let first = known.first, !known.contains(where: { $0.digest == digest }) else {
          continue
        }
        return HistoryFinding(
          oracle: .revisionLost, message: "the bytes of revision \(id) have changed",
          events: [first.event, index])
      }
      guard let write = acknowledged[id], ends(write) <= event.from else { continue }
      return HistoryFinding(
        oracle: .revisionLost, message: "revision \(id) was acknowledged, and then it was gone",
        events: [write, index])
    }
    return nil
  }

  private func boundedAttempts() -> HistoryFinding? {
    for (index, event) in events.enumerated() {
      guard case .write(let id, _, .some(let requests), _) = event.observation,
        requests > maximumRequests
      else { continue }
      return HistoryFinding(
        oracle: .boundedAttempts,
        message: "publishing \(id) took \(requests) requests; \(maximumRequests) are allowed",
        events: [index])
    }
    return nil
  }

  private func ends(_ index: Int) -> Int { events[index].to ?? .max }

  func name(_ index: Int) -> String {
    switch events[index].observation {
    case .write(let id, _, _, _), .revision(let id, _), .pointer(.names(let id)): id.rawValue
    case .read(let id): id?.rawValue ?? "nothing"
    case .pointer(.absent): "no object"
    case .pointer(.corrupt): "no pointer (corrupt)"
    case .said(let numbers), .shown(let numbers): numbers.words
    }
  }
}

extension RaceHistory.Pointer {
  var id: RevisionID? { if case .names(let id) = self { id } else { nil } }
}
