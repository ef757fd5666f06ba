import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams

/// What a step of a race of hubs does, for people.
extension HubWorld {
  package func words(of step: Step) -> String {
    switch step {
    case .receipt(let hub, let place, let outcome):
      let receipt = hubs[hub].receipts[place]
      return "\(Self.name(hub)) receives batch \(receipt.batch): " + words(of: receipt)
        + outcome.words
    case .loop(let hub, let outcome): return "\(Self.name(hub)): " + work(of: hub) + outcome.words
    case .stall(let hub, let place):
      return words(of: .receipt(hub: hub, place, .answered)) + ", and go on 20 minutes later"
    case .land(let place): return "arrives late: " + store.inFlight[place].name
    case .vanish(let place): return "is lost for ever: " + store.inFlight[place].name
    case .other(let outcome):
      let request = otherAction.map { words(of: $0, 0) } ?? "begins to publish day 0"
      return "somebody else: " + request + outcome.words
    default: return step.description
    }
  }

  private func words(of receipt: Receipt) -> String {
    switch receipt.action {
    case .createMarker: scenario.flaw == .markerLate ? "no marker yet" : "create its marker"
    case .readMarker: "read its marker"
    case .createPart:
      scenario.flaw == .acknowledgedEarly && !receipt.isAcknowledged
        ? "acknowledge it" : "create the batch"
    case .readPart: "read the batch"
    case .confirm: "create its marker"
    case .rest, .fail: "-"
    }
  }

  private func work(of hub: Int) -> String {
    switch hubs[hub].loop {
    case .free:
      if hubs[hub].lateRow != nil { return "write the row of the day" }
      return hubs[hub].dueSweep == nil ? "begin a day: read its basis" : "list the markers"
    case .release(let keys): return "delete marker \(keys.last ?? "")"
    case .sweep(_, .deleteMarker(let key)): return "delete marker \(key)"
    case .sweep: return "list the markers"
    case .recompute(let recompute), .sweepDay(_, let recompute): return words(of: recompute)
    }
  }

  private func words(of recompute: Recompute) -> String {
    let day = recompute.day
    switch recompute.action {
    case .derivation(.readBasis): return "read the basis of day \(day)"
    case .derivation(.listBatches): return "list the batches of day \(day)"
    case .derivation(.listRevisions): return "list the revisions of day \(day)"
    case .derivation(.writeBasis): return "write the basis of day \(day)"
    case .derivation(.createCover): return "create a marker of its own for day \(day)"
    case .derivation: return "-"
    case .publish(_, let action):
      if case .createRevision(let id, _) = action {
        return "create revision \(HubStore.Write.name(id)) of day \(day)"
      }
      return words(of: action, day)
    case .removeCover: return "delete its own marker of day \(day)"
    case .readForRow: return "read the newest revision of day \(day) for its row"
    case .writeRow(let id): return "write the row of day \(day) from \(HubStore.Write.name(id))"
    }
  }

  private func words(of action: PublishMachine.Action, _ day: Int) -> String {
    switch action {
    case .readPointer: "read the pointer of day \(day)"
    case .listRevisions: "list the revisions of day \(day)"
    case .readRevision(let id): "read revision \(HubStore.Write.name(id)) of day \(day)"
    case .createRevision(let id, _):
      "create revision \(HubStore.Write.name(id)) of day \(day)"
    case .writePointer(let value, _):
      "write the pointer of day \(day): \(HubStore.Write.name(value.revisionID))"
    case .mint, .backOff, .finish, .fail: "-"
    }
  }
}
