import HealthModel
import HealthStreams
import StoreTesting
import Testing

@testable import Outbox

/// Random operations on the outbox in SQLite against a simple model of it in values.
@Suite(.unit) struct OutboxModelTests {
  /// What the outbox must hold, by the words of R46 to R48 and nothing of SQLite.
  struct Model {
    /// A chunk of this number, queued at this place.
    struct Entry: Hashable {
      var number: Int
      var place: Int

      var start: Int { 1_700_000_000 + number * 30 }
    }

    struct Batch: Equatable {
      var entries: [Entry]
      var status = "pending"
      var attempts = 0
      var next: Int?
      var isRefused = false
      var uploadedAt: Int?
      var refusedSince: Int?
    }

    var waiting: [Entry] = []
    var batches: [Batch] = []
    /// Those that were queued again, and left when the later one was sent.
    var replaced: Set<Entry> = []
    var gaps = 0
    var anchor: [UInt8]?
    /// The entries that came through the feed, by which a drop resets the anchor.
    var ofFeed: Set<Entry> = []
    var hasSucceeded = false

    func count(_ status: String) -> Int {
      batches.filter { $0.status == status }.reduce(0) { $0 + $1.entries.count }
        + (status == "pending" ? waiting.count : 0)
    }

    /// The batch that a sync takes; one is sealed if none is due.
    mutating func take(now: Int, recent: Int) -> Int? {
      let due = batches.indices.filter { index in
        let batch = batches[index]
        guard batch.status == "pending" else { return false }
        return batch.next.map { $0 <= now || $0 > now + 300 } ?? true
      }
      func rank(_ index: Int) -> (Int, Int) {
        let latest = batches[index].entries.map(\.start).max() ?? 0
        return (latest < recent ? 1 : 0, batches[index].attempts)
      }
      if let first = due.min(by: { rank($0) < rank($1) }) { return removeReplaced(by: first) }
      guard !waiting.isEmpty else { return nil }
      seal()
      return removeReplaced(by: batches.count - 1)
    }

    mutating func seal() {
      batches.append(Batch(entries: waiting))
      waiting = []
    }

    /// What was queued earlier for a chunk of this batch goes, unless it was confirmed.
    private mutating func removeReplaced(by index: Int) -> Int {
      let batch = batches[index]
      for place in batches.indices where batches[place].status != "uploaded" && place != index {
        batches[place].entries.removeAll { old in
          let isOld = batch.entries.contains { $0.number == old.number && $0.place > old.place }
          if isOld { replaced.insert(old) }
          return isOld
        }
      }
      let gone = batches[..<index].count { $0.entries.isEmpty }
      batches.removeAll { $0.entries.isEmpty }
      return index - gone
    }

    mutating func drop(_ index: Int) {
      let batch = batches.remove(at: index)
      lose(batch.entries)
    }

    mutating func lose(_ entries: [Entry]) {
      gaps += entries.count
      if !ofFeed.isDisjoint(with: entries) { anchor = nil }
    }

    /// A whole sync, which the receiver answers by the batch's entries.
    mutating func sync(
      now: Int, receiverNow: Int, recent: Int?, _ answer: ([Entry]) -> DeliveryResult
    ) {
      var (secondChance, revived, confirmed, refusals) = (true, false, false, 0)
      if recent != nil, !waiting.isEmpty { seal() }
      pass: while let index = take(now: now, recent: recent ?? .min) {
        let batch = batches[index]
        var goesOn = true
        switch answer(batch.entries) {
        case .confirmed:
          batches[index].status = "uploaded"
          (batches[index].uploadedAt, batches[index].next) = (receiverNow, nil)
          (confirmed, secondChance, hasSucceeded) = (true, true, true)
        case .failed(let failure):
          switch failure.kind {
          case .offline, .unauthorized, .permissionDenied: goesOn = false
          case .refused, .tooLarge:
            refusals += 1
            goesOn = refusals < 100
            if batch.entries.count == 1 {
              (batches[index].status, batches[index].isRefused) = ("failed", true)
              batches[index].next = nil
            } else {
              batches.remove(at: index)
              let middle = batch.entries.count / 2
              for part in [batch.entries[..<middle], batch.entries[middle...]] {
                batches.append(
                  Batch(entries: Array(part), attempts: batch.attempts, next: batch.next))
              }
              _ = removeReplaced(by: batches.count - 1)
            }
          case .timeout, .server, .storageFull:
            goesOn = secondChance && batch.attempts > 0
            secondChance = false
            batches[index].attempts += 1
            let delays = [30, 60, 120, 240]
            if batches[index].attempts == 5 {
              (batches[index].status, batches[index].next) = ("failed", nil)
            } else {
              batches[index].next = now + delays[batches[index].attempts - 1]
            }
          }
        }
        if confirmed, !revived {
          revived = true
          goesOn = true
          for index in batches.indices
          where batches[index].status == "failed" && !batches[index].isRefused {
            (batches[index].status, batches[index].attempts, batches[index].next) = (
              "pending", 0, nil
            )
          }
        }
        if !goesOn { break pass }
      }
      guard confirmed else { return }
      for index in batches.indices where batches[index].isRefused {
        batches[index].refusedSince = min(batches[index].refusedSince ?? .max, receiverNow)
      }
      let deadline = receiverNow - 259_200
      batches.removeAll { ($0.uploadedAt ?? .max) <= deadline && $0.status == "uploaded" }
      while let index = batches.firstIndex(where: {
        $0.status == "failed" && ($0.refusedSince ?? .max) <= deadline
      }) { drop(index) }
    }
  }

  @Test(arguments: 0..<40)
  func `R46, R47, R48: random operations on SQLite do what they do on a model in values`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let bench = try Bench()
    var (outbox, model, number, place) = (bench.outbox, Model(), 0, 0)
    var receiverNow = 1_600_000_000
    var stored: Set<Model.Entry> = []
    var acknowledged: Set<Model.Entry> = []
    // Of each chunk, the place of what was sent last.
    var sent: [Int: Int] = [:]
    for step in 0..<60 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6:
        let queued = (0..<Int.random(in: 1...9, using: &random)).map { _ in
          // One in four says something new of a chunk that was queued before.
          let isNew = number == 0 || Int.random(in: 0..<4, using: &random) > 0
          if isNew { number += 1 }
          place += 1
          return Model.Entry(
            number: isNew ? number : Int.random(in: 1...number, using: &random), place: place)
        }
        let entries = try queued.map { try Sample.audio($0.number, content: $0.place) }
        if Bool.random(using: &random) {
          try await outbox.add(entries)
        } else {
          let old = Int.random(in: 0..<5, using: &random) == 0 ? [99] : model.anchor
          let new = [UInt8(step)]
          do {
            try await outbox.enqueue(entries, feed: "f", movingAnchorFrom: old, to: new)
            #expect(old == model.anchor)
          } catch is AnchorMoved {
            #expect(old != model.anchor)
            continue
          }
          model.anchor = new
          model.ofFeed.formUnion(queued)
        }
        model.waiting += queued
        acknowledged.formUnion(queued)
      case 6..<15:
        // How the receiver answers in this sync: always one way, or by an entry's number.
        let kinds = DeliveryFailure.Kind.allCases
        let pick = Int.random(in: 0..<kinds.count * 2, using: &random)
        let kind = pick < kinds.count ? kinds[pick] : nil
        let bad = Int.random(in: 0...max(1, number), using: &random)
        // A batch that the receiver can't take, whatever becomes of the others.
        let poison = Int.random(in: 0...max(1, number), using: &random)
        let answer: @Sendable ([Model.Entry]) -> DeliveryResult = { [receiverNow] entries in
          if let kind, kind != .refused, kind != .tooLarge || entries.count > 2 {
            return .failed(DeliveryFailure(kind, "as planned"))
          }
          if entries.contains(where: { $0.number == bad }) {
            return .failed(DeliveryFailure(.refused, "bad"))
          }
          if entries.contains(where: { $0.number == poison }) {
            return .failed(DeliveryFailure(.server, "500"))
          }
          return .confirmed(at: Timestamp(secondsSince1970: receiverNow))
        }
        let recent =
          Bool.random(using: &random)
          ? nil : 1_700_000_000 + Int.random(in: 0...max(1, number), using: &random) * 30
        let receiver = Receiver { batch in answer((try? Self.entries(of: batch.body)) ?? []) }
        _ = try await OutboxSync(
          outbox, to: receiver, streams: [.audio],
          recentFirst: recent.map { Timestamp(secondsSince1970: $0) }
        ).run()
        model.sync(now: bench.now, receiverNow: receiverNow, recent: recent, answer)
        // A batch may have been received although its answer was lost, so what was sent counts. Of one
        // batch the later entry counts.
        for batch in receiver.sent {
          let last = try Self.entries(of: batch.body).reduce(into: [:]) { $0[$1.number] = $1.place }
          for (number, place) in last {
            #expect(place >= sent[number] ?? 0, "seed \(seed), step \(step)")
            sent[number] = place
          }
        }
        stored.formUnion(try receiver.entries.map(Self.entry))
      case 15:
        let delayed = model.batches.filter { $0.status == "pending" && $0.next != nil }
        let count = model.count("failed") + delayed.reduce(0) { $0 + $1.entries.count }
        #expect(try outbox.retry() == count)
        for index in model.batches.indices { model.batches[index].next = nil }
        for index in model.batches.indices where model.batches[index].status == "failed" {
          let entries = model.batches[index].entries
          model.batches[index] = .init(entries: entries)
        }
      case 16:
        let onlyFailed = Bool.random(using: &random)
        let dropped = try outbox.drop(stream: nil, onlyFailed: onlyFailed)
        let before = model.gaps
        while let index = model.batches.firstIndex(where: {
          $0.status == "failed" || (!onlyFailed && $0.status == "pending")
        }) { model.drop(index) }
        if !onlyFailed {
          model.lose(model.waiting)
          model.waiting = []
        }
        #expect(dropped == model.gaps - before)
      case 17: outbox = try bench.reopened()
      case 18:
        bench.now += [1, 29, 31, 300, 86_400, -31_536_000][Int.random(in: 0..<6, using: &random)]
      default: receiverNow += Int.random(in: 0...200_000, using: &random)
      }
      let status = try outbox.status()
      let counts = status.uploadStats
      try #require(counts.pending == model.count("pending"), "seed \(seed), step \(step)")
      try #require(counts.failed == model.count("failed"), "seed \(seed), step \(step)")
      try #require(counts.uploaded == model.count("uploaded"), "seed \(seed), step \(step)")
      try #require(try await outbox.anchor(of: "f") == model.anchor)
      let gaps = try outbox.database.withLock {
        try $0.number("SELECT coalesce(sum(record_count), 0) FROM gaps")
      }
      try #require(gaps == model.gaps)
      #expect((status.lastSuccessfulSyncDate != nil) == model.hasSucceeded)
    }
    // Nothing that was acknowledged is anywhere but at the receiver, in the outbox, in a gap, or
    // replaced by what was queued later, of which the same holds.
    let here = try outbox.database.withLock { database in
      let select = try database.statement("SELECT payload FROM entries")
      var found: Set<Model.Entry> = []
      while try select.step() { found.insert(try Self.entry(JSONValue(parsing: select.blob(0)))) }
      return found
    }
    let missing = acknowledged.subtracting(stored).subtracting(here).subtracting(model.replaced)
    #expect(missing.count <= model.gaps)
    if model.gaps == 0 { #expect(missing.isEmpty) }
  }

  private static func entries(of body: [UInt8]) throws -> [Model.Entry] {
    try (JSONValue(parsing: body)["data"]?.arrayValue ?? []).map(entry)
  }

  private static func entry(_ chunk: JSONValue) throws -> Model.Entry {
    let number = chunk["id"]?.stringValue.flatMap { Int($0.dropFirst("chunk-".count).dropLast()) }
    let place = chunk["audio_data"]?.stringValue.flatMap { Int($0) }
    return Model.Entry(number: try #require(number), place: try #require(place))
  }
}
