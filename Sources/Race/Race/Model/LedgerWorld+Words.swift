import HealthModel

/// What a step of a race of the ledger does, for people.
extension LedgerWorld {
  package var title: String { (flaw.map { "\($0.summary): " } ?? "") + scenario.title }

  package func words(of step: Step) -> String {
    var after = self
    after.recorder = Recorder(state)
    _ = after.take(step)
    let line = words(of: step, after).filter { !$0.isEmpty }.joined(separator: "  ")
    guard after.state.pointer != state.pointer else { return line }
    return line + " (latest.json is now \(Self.pointer(after.state.pointer)))"
  }

  /// Who, what, and the answer.
  private func words(of step: Step, _ after: LedgerWorld) -> [String] {
    switch step {
    case .advance(let index, let outcome):
      let writer = state.writers[index]
      let request = rules.automata.request(writer.node)
      var answer = readAnswer(request, isStale: outcome == .stale)
      if let write = write(request) {
        answer = writeAnswer(outcome, isApplied: Self.isApplied(write, state, after.state))
        let check = after.state.writers[index].check
        if check != .none {
          answer = "the store's check \(check == .passed ? "passes" : "fails"); not written yet"
        }
      }
      let ended = after.recorder?.outcome.map { "; \($0)" } ?? ""
      return ["writer \(index + 1)", Self.words(request), answer + ended]
    case .crash(let index, let leavesWrite):
      let request = Self.words(rules.automata.request(state.writers[index].node))
      return [
        "writer \(index + 1)",
        "is killed \(leavesWrite ? "after sending" : "before") \(request)",
        leavesWrite ? "still on its way" : "",
      ]
    case .restart(let index): return ["writer \(index + 1)", "starts again"]
    case .read(let index, let isStale):
      let request = rules.automata.request(state.readers[index].node)
      let answer = readAnswer(request, isStale: isStale)
      let resolved = after.recorder?.entries.last.map(\.operation)
        .flatMap { $0.kind == .read ? $0.value : nil }
      let ended = resolved.map {
        "; resolves to \($0 == 0 ? "nothing" : "\(Codes.revisionID($0))")"
      }
      return ["reader \(index + 1)", Self.words(request), answer + (ended ?? "")]
    case .arrive(let index):
      let write = state.late[index]
      return [
        "network", "a late \(Self.words(write)) arrives",
        Self.isApplied(write, state, after.state) ? "applied" : "refused",
      ]
    case .interfere(let deed):
      return ["a stranger", deed.rawValue.replacing("-", with: " ")]
    }
  }

  /// A writer, a reader or a variant less.
  package var simpler: [LedgerWorld] {
    func made(_ change: (inout Scenario) -> Void) -> LedgerWorld? {
      var scenario = self.scenario
      change(&scenario)
      guard scenario != self.scenario else { return nil }
      var world = LedgerWorld(scenario, isReduced: isReduced, rules)
      world.recorder = recorder.map { _ in Recorder(world.state) }
      return world
    }
    return [
      made { $0.writers = max(1, $0.writers - 1) }, made { $0.readers = max(0, $0.readers - 1) },
      made { $0.clocks = .near }, made { $0.hasTwins = false }, made { $0.hasOutdated = false },
      scenario.interference == 0 ? made { $0.start = .absent } : nil,
    ].compactMap(\.self)
  }

  private static func isApplied(
    _ write: LedgerState.Write, _ before: LedgerState, _ after: LedgerState
  ) -> Bool {
    switch write.target {
    case .revision: before.body(of: write.id) != after.body(of: write.id)
    case .pointer: before.pointer != after.pointer
    }
  }

  private func writeAnswer(_ outcome: RequestOutcome, isApplied: Bool) -> String {
    switch outcome {
    case .answered, .stale: isApplied ? "200" : flaw == .answers304 ? "304" : "412"
    case .lostBefore: "lost on its way: time-out"
    case .lostAfter: "\(isApplied ? "applied" : "refused"), but the answer is lost: time-out"
    case .delayed: "time-out; still on its way"
    case .duplicated: "\(isApplied ? "200" : "412"); a copy is still on its way"
    case .resent: "applied, answer lost, sent again by the transport: 412"
    case .conflict: "409"
    case .refused: "412, although the precondition held"
    case .serverError: "503, not applied"
    case .errorBody: "200 with an error in its body, not applied"
    }
  }

  private func readAnswer(_ request: Automata.Request, isStale: Bool) -> String {
    let note = isStale ? " (stale)" : ""
    switch request {
    case .readPointer:
      return Self.pointer(isStale ? state.stalePointer : state.pointer) + note
    case .list:
      let names = ids(isStale: isStale).map { "\(Codes.revisionID($0))" }
      return (names.isEmpty ? "none" : names.joined(separator: ", ")) + note
    case .readRevision(let id):
      let isThere = state.body(of: id) != 0 && !(isStale && id == state.newest)
      return (isThere ? "200" : "404") + note
    default: return ""
    }
  }

  private static func words(_ request: Automata.Request) -> String {
    switch request {
    case .readPointer: return "GET latest.json"
    case .list: return "LIST revisions/"
    case .readRevision(let id): return "GET revision \(Codes.revisionID(id))"
    case .create(let id, _): return "PUT revision \(Codes.revisionID(id)) if absent"
    case .writePointer(let id, let condition):
      return "PUT latest.json = \(Codes.revisionID(id)) \(words(condition))"
    case .mint, .acknowledge, .fail, .answer: return ""
    }
  }

  private static func words(_ write: LedgerState.Write) -> String {
    switch write.target {
    case .revision: "PUT revision \(Codes.revisionID(write.id))"
    case .pointer: "PUT latest.json = \(Codes.revisionID(write.id)) \(words(write.condition))"
    }
  }

  private static func words(_ condition: Automata.Condition) -> String {
    switch condition {
    case .absent: "if absent"
    case .matches(let code): "if it is still \(code == Codes.corrupt ? "corrupt" : pointer(code))"
    case .none: "unconditionally"
    }
  }

  private static func pointer(_ code: Codes.PointerCode) -> String {
    code == 0 ? "absent" : code == Codes.corrupt ? "corrupt" : "\(Codes.revisionID(code))"
  }
}
