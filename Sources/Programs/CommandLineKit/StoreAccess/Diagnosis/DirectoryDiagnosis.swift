import Foundation
import HealthLedger
import ObjectStore

/// The checks of a folder: can it be read and written, and do its file locks work?
struct DirectoryDiagnosis {
  let store: DirectoryStore
  let path: String
  let layout: LedgerLayout

  var checks: [DiagnosticCheck] {
    get async {
      let read = await checkRead()
      guard read.outcome == .ok else { return [read, .skipped("conditional writes")] }
      return [read, await checkWrites()]
    }
  }

  private func checkRead() async -> DiagnosticCheck {
    do throws(StoreError) {
      _ = try await store.list(ListRequest(prefix: layout.dataPrefix, limit: 1))
      return .ok("reachable", "the folder \(path) was listed")
    } catch {
      return .failed("reachable", LedgerError(error))
    }
  }

  private func checkWrites() async -> DiagnosticCheck {
    let name = "conditional writes"
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    // Where a publish writes: another folder may allow more, or less.
    guard let key = ObjectKey("\(layout.checkPrefix)-\(digits)") else {
      return .failed(name, LedgerError(.internal, "the scratch key is not valid"))
    }
    do throws(StoreError) {
      var steps = try await tryWrites(key)
      try await store.delete(key)
      for place in [layout.checkPrefix, layout.probePrefix + "/"] {
        // A folder has no clock other than this machine's.
        let sweep = await store.sweep(
          below: place, writtenBefore: Int(Date().timeIntervalSince1970) - 3600)
        let mark = sweep.problem == nil ? "ok" : "unclear"
        steps.append("\(mark): what earlier checks left at \(place): \(sweep)")
      }
      let support = try await store.conditionalWrites()
      guard support == .compareAndSwap, !steps.contains(where: { $0.hasPrefix("failed") }) else {
        return .warning(
          name, "the file system's locks do not work",
          remedy: """
            use a folder on a local disk; until then days are read by listing, without latest.json
            """, steps: steps)
      }
      return .ok(name, "compare-and-swap under file locks", steps: steps)
    } catch {
      try? await store.delete(key)
      return .failed(name, LedgerError(error))
    }
  }

  private func tryWrites(_ key: ObjectKey) async throws(StoreError) -> [String] {
    var steps: [String] = []
    func note(_ what: String, _ outcome: PutOutcome, shouldStore: Bool) {
      let isStored = if case .stored = outcome { true } else { false }
      steps.append("\(isStored == shouldStore ? "ok" : "failed"): \(what)")
    }
    let created = try await store.put(key, [1], if: .absent)
    note("an object is created", created, shouldStore: true)
    note(
      "a second create is refused", try await store.put(key, [2], if: .absent), shouldStore: false)
    if case .stored(let etag) = created {
      let replaced = try await store.put(key, [3], if: .matches(etag))
      note("a replace under its etag is applied", replaced, shouldStore: true)
      let stale = try await store.put(key, [4], if: .matches(etag))
      note("a replace under a stale etag is refused", stale, shouldStore: false)
    }
    return steps
  }
}
