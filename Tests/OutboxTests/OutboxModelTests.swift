import HealthModel
import HealthStreams
import StoreTesting
import Testing

@testable import Outbox

/// Random operations on the outbox in SQLite against a simple model of it in values.
@Suite(.tags(.unit)) struct OutboxModelTests {
  /// What the outbox must hold, by the words of R46 to R48 and nothing of SQLite.
  struct Model {
    struct Batch: Equatable {
      var entries: [String]
      var status = "pending"
      var attempts = 0
      var next: Int?
      var isRefused = false
      var uploadedAt: Int?
      var refusedSince: Int?
    }

    var waiting: [String] = []
    var batches: [Batch] = []
    var gaps = 0
    var anchor: [UInt8]?
    /// The entries that came through the feed, by which a drop resets the anchor.
    var ofFeed: Set<String> = []
    var hasSucceeded = false

    func count(_ status: String) -> Int {
      batches.filter { $0.status == status }.reduce(0) { $0 + $1.entries.count }
        + (status == "pending" ? waiting.count : 0)
    }

    /// The batch that a sync takes; one is sealed if none is due.
    mutating func take(now: Int) -> Int? {
      let due = batches.indices.filter { index in
        let batch = batches[index]
        guard batch.status == "pending" else { return false }
        return batch.next.map { $0 <= now || $0 > now + 300 } ?? true
      }
      if let first = due.min(by: { batches[$0].attempts < batches[$1].attempts }) { return first }
      guard !waiting.isEmpty else { return nil }
      batches.append(Batch(entries: waiting))
      waiting = []
      return batches.count - 1
    }

    mutating func drop(_ index: Int) {
      let batch = batches.remove(at: index)
      lose(batch.entries)
    }

    mutating func lose(_ entries: [String]) {
      gaps += entries.count
      if !ofFeed.isDisjoint(with: entries) { anchor = nil }
    }

    /// A whole sync, which the receiver answers by the batch's entries.
    mutating func sync(now: Int, receiverNow: Int, _ answer: ([String]) -> DeliveryResult) {
      var (secondChance, revived, confirmed, refusals) = (true, false, false, 0)
      pass: while let index = take(now: now) {
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
    var (outbox, model, number, receiverNow) = (bench.outbox, Model(), 0, 1_600_000_000)
    var stored: Set<String> = []
    var acknowledged: Set<String> = []
    for step in 0..<60 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6:
        let entries = try (0..<Int.random(in: 1...9, using: &random)).map { _ in
          number += 1
          return try Sample.audio(number)
        }
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
          model.ofFeed.formUnion(entries.map(\.id))
        }
        model.waiting += entries.map(\.id)
        acknowledged.formUnion(entries.map(\.id))
      case 6..<15:
        // How the receiver answers in this sync: always one way, or by an entry's number.
        let kinds = DeliveryFailure.Kind.allCases
        let pick = Int.random(in: 0..<kinds.count * 2, using: &random)
        let kind = pick < kinds.count ? kinds[pick] : nil
        let bad = "chunk-\(Int.random(in: 0...max(1, number), using: &random))."
        let answer: @Sendable ([String]) -> DeliveryResult = { [receiverNow] ids in
          if let kind, kind != .refused, kind != .tooLarge || ids.count > 2 {
            return .failed(DeliveryFailure(kind, "as planned"))
          }
          if ids.contains(bad) { return .failed(DeliveryFailure(.refused, "bad")) }
          return .confirmed(at: Timestamp(secondsSince1970: receiverNow))
        }
        let receiver = Receiver { batch in answer(Self.ids(of: batch)) }
        _ = try await OutboxSync(outbox, to: receiver, streams: [.audio]).run()
        model.sync(now: bench.now, receiverNow: receiverNow, answer)
        stored.formUnion(try receiver.entries.compactMap { $0["id"]?.stringValue })
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
    // Nothing that was acknowledged is anywhere but at the receiver, in the outbox, or in a gap.
    let here = Set(try outbox.entries(limit: 10_000).map(\.entryID))
    let missing = acknowledged.subtracting(stored).subtracting(here)
    #expect(missing.count <= model.gaps)
    if model.gaps == 0 { #expect(missing.isEmpty) }
  }

  private static func ids(of batch: SealedBatch) -> [String] {
    (try? JSONValue(parsing: batch.body))?["data"]?.arrayValue?.compactMap {
      $0["id"]?.stringValue
    } ?? []
  }
}
