import ArgumentParser
import CommandLineKit
import HealthLedger
import HealthModel
import HealthStreams
import Outbox

/// Syncs the outbox once or again and again, and reports each sync (R48).
struct SyncRun: Sendable {
  let outbox: Outbox
  let receiver: any BatchReceiver
  let receiverName: String
  let streams: [StreamName]
  /// Entries since then go first; nil for the order in which they were queued.
  let recent: Timestamp?
  let format: OutputFormat
  let recorder: EventRecorder
  /// What a loop collects before each sync; nil for nothing.
  let collection: LoopCollection?

  /// One sync.
  ///
  /// - Parameter absence: why the receiver is not there; thrown if nothing was due for it.
  func once(absence: LedgerError? = nil) async throws(LedgerError) -> ExitCode {
    switch await attempt() {
    case .success(let report):
      if let absence, report.requests == 0 { throw absence }
      try await finished(report)
      return report.exitCode
    case .failure(let error): throw LedgerError(error)
    }
  }

  /// Syncs until the task is cancelled, or until nothing will go better before settings change.
  func loop(every interval: Int) async throws(LedgerError) -> ExitCode {
    await recorder.service(
      .sync, hasStarted: true, at: LedgerEnvironment.system.now(), "syncs with \(receiverName)")
    let ended = await Result.of { () async throws(LedgerError) in try await goOn(interval) }
    // A task that was cancelled could run no command to notify the person.
    let recorder = recorder
    await Task.detached {
      await recorder.service(
        .sync, hasStarted: false, at: LedgerEnvironment.system.now(), "syncs ended")
    }.value
    return try ended.get()
  }

  private func goOn(_ interval: Int) async throws(LedgerError) -> ExitCode {
    var machine = SyncLoopMachine(interval: interval)
    while !Task.isCancelled {
      await collection?.collect()
      let found: [DeliveryFailure]
      switch await attempt() {
      case .success(let report):
        try await finished(report)
        found = report.failures
      case .failure(let error):
        // The outbox itself: a full disk or a busy file may pass, the rest does not.
        switch error.code {
        case .storageFull: found = [DeliveryFailure(.storageFull, error.message)]
        case .busy: found = []
        case .permissionDenied, .damaged, .newerVersion, .invalid, .failed:
          throw LedgerError(error)
        }
        StandardStreams.say(LedgerError(error))
      }
      switch machine.next(after: found) {
      case .stop(let failure):
        return failure.error(receiverName).code.exitCode
      case .wait(let seconds):
        try? await Task.sleep(for: .seconds(seconds))
      }
    }
    return .success
  }

  private func attempt() async -> Result<SyncReport, OutboxError> {
    var progress = ProgressLine(
      "uploading entry", total: try? outbox.status().uploadStats.pending, unit: .entries)
    defer { progress.clear() }
    var done = 0
    var before: StreamOutcome?
    let sync = OutboxSync(outbox, to: receiver, streams: streams, recentFirst: recent)
    return await Result.of { () async throws(OutboxError) in
      try await sync.run { outcome in
        done += outcome.entries - (before?.stream == outcome.stream ? before?.entries ?? 0 : 0)
        before = outcome
        progress.advance(to: done)
      }
    }
  }

  /// Every sync that ended passes here, whatever came of it.
  private func finished(_ report: SyncReport) async throws(LedgerError) {
    await recorder.took(report, at: LedgerEnvironment.system.now())
    let words = SyncWords(report: report, receiver: receiverName)
    try words.print(format)
    for line in words.warnings { StandardStreams.remark(line) }
    // One failure a stream, and each once: a server that is down says the same to all. A store's
    // own message may hold a key or the number of a request.
    var said: Set<String> = []
    for outcome in report.streams {
      guard let failure = outcome.failure else { continue }
      let same = "\(failure.kind): " + (failure.remedy.map { "\($0)" } ?? failure.message)
      if said.insert(same).inserted {
        StandardStreams.say(failure.error(receiverName, at: place(of: outcome.stream)))
      }
    }
  }
}

extension SyncRun {
  /// Where a stream was sent to, for people. A server takes payloads at an address of their own.
  private func place(of stream: StreamName) -> String {
    guard stream == .healthAutoExport, let server = receiver as? IngestReceiver else {
      return receiverName
    }
    return server.url(for: stream)
  }
}

extension SyncReport {
  /// 0 if all that was due was confirmed.
  fileprivate var exitCode: ExitCode {
    let kinds = failures.map(\.kind)
    if kinds.contains(where: { $0 == .unauthorized || $0 == .permissionDenied }) {
      return LedgerError.Code.notAuthorized.exitCode
    }
    return kinds.isEmpty ? .success : LedgerError.Code.storageUnavailable.exitCode
  }
}

extension DeliveryFailure {
  /// The failure, worded for the command line.
  fileprivate func error(_ receiver: String, at place: String? = nil) -> LedgerError {
    let code: LedgerError.Code =
      switch kind {
      case .unauthorized, .permissionDenied: .notAuthorized
      case .offline, .timeout, .server, .storageFull, .refused, .tooLarge: .storageUnavailable
      }
    return LedgerError(
      code, "\(self.code): \(message)", key: place ?? receiver, remedy: advice(receiver),
      isRetryable: code == .storageUnavailable)
  }

  private func advice(_ receiver: String) -> LedgerError.Remedy {
    switch kind {
    case .offline, .timeout, .server:
      let safe = "nothing is lost: the entries stay in the outbox and are tried again"
      switch remedy {
      case nil, .retry, .retryLater:
        return .text(safe + "; check the network and the server if it lasts")
      case let remedy?: return .all([.store(remedy), .text(safe)])
      }
    case .unauthorized where receiver.hasPrefix("http"):
      return """
        ask whoever runs the server for a token of this device that may post there, and verify it: \
        s3health init --server \(receiver)
        """
    case .unauthorized:
      return .all([
        remedy.map { .store($0) } ?? "check the credentials",
        "nothing is lost, and nothing is uploaded until that is done",
      ])
    case .permissionDenied:
      return .all([
        remedy.map { .store($0) } ?? "give this user write permission",
        "nothing is lost, and nothing is uploaded until that is done",
      ])
    case .storageFull: return "free some space at the receiver or here; nothing is lost"
    case .refused, .tooLarge:
      return
        "look at the entry with `s3health raw queue --status failed`, then raw sync --retry-failed or raw drop"
    }
  }
}
