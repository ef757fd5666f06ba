import CommandLineKit
import Foundation
import HealthCollector
import HealthLedger
import HealthSources
import HealthStreams
import ObjectStore
import Outbox

/// A store that was not there when a sync began, such as a disk that is not mounted. Each delivery looks
/// for it again.
actor LateStore: BatchReceiver {
  private let settings: Settings
  private var found: BucketReceiver?

  init(_ settings: Settings) { self.settings = settings }

  func deliver(_ batch: consuming SealedBatch) async -> DeliveryResult {
    if let found { return await found.deliver(batch) }
    let receiver: BucketReceiver
    do throws(LedgerError) {
      receiver = try BucketReceiver(try OpenedStore(settings, for: .writing), settings.store)
    } catch {
      return .failed(DeliveryFailure(absence: error))
    }
    found = receiver
    return await receiver.deliver(batch)
  }
}

extension DeliveryFailure {
  /// Why a store could not be opened.
  fileprivate init(absence error: LedgerError) {
    var remedy: StoreError.Remedy?
    if case .store(let words) = error.remedy { remedy = words }
    self.init(
      error.code == .notAuthorized ? .permissionDenied : .offline, error.message, remedy: remedy)
  }
}

extension BucketReceiver {
  /// Receives batches into the streams of the configured store.
  init(_ opened: OpenedStore, _ settings: StoreSettings) throws(LedgerError) {
    self.init(
      try opened.streams, feed: "outbox", now: LedgerEnvironment.system.now,
      receipts: settings.receiptClock())
  }
}

/// What a loop of syncs collects before each upload: what is new in the configured folder of payloads.
///
/// A failure is reported once, and the upload goes on: what is queued has nothing to do with it.
actor LoopCollection {
  private let run: QueueRun
  /// The file as it was when it was last read; nil for a folder, which is read each time.
  private var read: FileVersion?
  private var reported: LedgerError?

  /// Nil if no such source is configured.
  init?(_ outbox: Outbox, _ settings: StoreSettings) {
    guard let source = Self.source(settings) else { return nil }
    run = QueueRun(outbox: outbox, source: source)
  }

  /// The configured source; nil if there is none to queue.
  static func source(_ settings: StoreSettings) -> String? {
    guard let source = settings.source, !source.isStreams,
      (try? QueueRun.check(source.path)) != nil
    else { return nil }
    return source.path
  }

  /// Queues what is new since the last time.
  func collect() async {
    // Before it is read: what changes meanwhile is read the next time.
    let state = FileVersion(run.source).flatMap { $0.isFile ? $0 : nil }
    if let state, state == read { return }
    do throws(LedgerError) {
      let result = try await run.move()
      if result.count > 0 {
        StandardStreams.remark("queued \(result.words) from \(run.source.printable)")
      }
      let failure = result.failures.first
      if let failure, reported != failure { StandardStreams.say(failure) }
      (read, reported) = (failure == nil ? state : nil, failure)
    } catch {
      if reported != error { StandardStreams.say(error) }
      reported = error
    }
  }
}
