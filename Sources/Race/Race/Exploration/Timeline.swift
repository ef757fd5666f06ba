import HealthModel

/// A schedule as a list of requests, for people.
package struct Timeline: Hashable, Sendable {
  /// One event.
  package struct Line: Hashable, Sendable {
    package let number: Int
    package let who: String
    package let request: String
    package let answer: String
    /// What `latest.json` names afterwards, if this step changed it.
    package let pointer: String?
  }

  package let schedule: Schedule
  package let beginning: [String]
  package private(set) var lines: [Line] = []
  package private(set) var breach: Breach?
  package private(set) var history: RaceHistory

  /// Replays a schedule, skipping steps that can't be taken.
  package init(_ schedule: Schedule) throws {
    var model = try RaceModel(schedule.scenario.subject)
    var race = Race(schedule.scenario, model.beginning(schedule.scenario))
    self.schedule = schedule
    beginning = Self.beginning(race.world)
    for step in schedule.steps where model.allows(step, in: race.world) {
      let before = race.world
      let isGoingOn = race.take(step, &model)
      lines.append(Self.line(race, step, before, model))
      if !isGoingOn { break }
    }
    race.judge()
    breach = race.breach
    history = race.history(model.automata.codes)
  }

  private static func beginning(_ world: World) -> [String] {
    let ids = world.revisions.map { Codes.revisionID($0.id).rawValue }
    return [
      "latest.json: \(pointer(world.pointer))",
      "revisions/:  \(ids.isEmpty ? "none" : ids.joined(separator: ", "))",
    ]
  }

  private static func line(
    _ race: Race, _ step: Step, _ before: World, _ model: RaceModel
  ) -> Line {
    let (who, request, answer) = words(race, step, before, model)
    let pointer = race.world.pointer == before.pointer ? nil : pointer(race.world.pointer)
    return Line(
      number: race.steps.count, who: who, request: request, answer: answer, pointer: pointer)
  }

  private static func words(
    _ race: Race, _ step: Step, _ before: World, _ model: RaceModel
  ) -> (String, String, String) {
    let after = race.world
    switch step {
    case .advance(let index, let outcome):
      let request = model.automata.request(before.writers[index].node)
      var answer: String
      if request.isWrite {
        answer = writeAnswer(outcome, isApplied: isApplied(request, before, after), model)
        if model.subject.storeFlaw == .checksOutsideLock, outcome == .answered {
          if before.writers[index].check == .none {
            let holds = after.writers[index].check == .passed
            answer = "the store's check \(holds ? "passes" : "fails"); not written yet"
          }
        }
      } else {
        answer = readAnswer(request, before, isStale: outcome == .stale)
      }
      if let outcome = race.lastOutcome(index) { answer += "; \(outcome)" }
      return ("writer \(index + 1)", words(request), answer)
    case .crash(let index, let leavesWrite):
      let request = model.automata.request(before.writers[index].node)
      return (
        "writer \(index + 1)",
        "is killed \(leavesWrite ? "after sending" : "before") \(words(request))",
        leavesWrite ? "still on its way" : ""
      )
    case .restart(let index): return ("writer \(index + 1)", "starts again", "")
    case .read(let index, let isStale):
      let request = model.automata.readerRequest(before.readers[index].node)
      var answer: String
      switch request {
      case .readPointer:
        answer = readAnswer(.readPointer, before, isStale: isStale)
      case .list: answer = readAnswer(.list, before, isStale: isStale)
      case .readRevision(let id): answer = readAnswer(.readRevision(id), before, isStale: isStale)
      case .answer: answer = ""
      }
      if after.readers[index].remaining < before.readers[index].remaining {
        let last = race.recorder.operations.last?.value ?? 0
        answer += "; resolves to \(last == 0 ? "nothing" : "\(Codes.revisionID(last))")"
      }
      return ("reader \(index + 1)", words(request), answer)
    case .arrive(let index):
      let write = before.late[index]
      return (
        "network", "a late \(words(write)) arrives",
        isApplied(write, before, after) ? "applied" : "refused"
      )
    case .interfere(let deed): return ("a stranger", deed.rawValue.replacing("-", with: " "), "")
    }
  }

  private static func isApplied(
    _ request: Automata.Request, _ before: World, _ after: World
  ) -> Bool {
    switch request {
    case .create(let id, _): before.body(of: id) != after.body(of: id)
    default: before.pointer != after.pointer
    }
  }

  private static func isApplied(_ write: World.Write, _ before: World, _ after: World) -> Bool {
    switch write.target {
    case .revision: before.body(of: write.id) != after.body(of: write.id)
    case .pointer: before.pointer != after.pointer
    }
  }

  private static func writeAnswer(_ outcome: RequestOutcome, isApplied: Bool, _ model: RaceModel)
    -> String
  {
    switch outcome {
    case .answered, .stale:
      isApplied ? "200" : model.subject.storeFlaw == .answers304 ? "304" : "412"
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

  private static func readAnswer(
    _ request: Automata.Request, _ world: World, isStale: Bool
  ) -> String {
    let note = isStale ? " (stale)" : ""
    switch request {
    case .readPointer: return pointer(isStale ? world.stalePointer : world.pointer) + note
    case .list:
      let ids = world.revisions.map(\.id).filter { !(isStale && $0 == world.newest) }
      return (ids.isEmpty ? "none" : ids.map { "\(Codes.revisionID($0))" }.joined(separator: ", "))
        + note
    case .readRevision(let id):
      let isThere = world.body(of: id) != 0 && !(isStale && id == world.newest)
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
    case .mint, .acknowledge, .fail: return ""
    }
  }

  private static func words(_ write: World.Write) -> String {
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

  private static func words(_ request: Automata.ReaderRequest) -> String {
    switch request {
    case .readPointer: words(Automata.Request.readPointer)
    case .list: words(Automata.Request.list)
    case .readRevision(let id): words(Automata.Request.readRevision(id))
    case .answer: ""
    }
  }
}
