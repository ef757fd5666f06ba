import CommandLineKit
import HealthLedger
import HealthStreams
import ObjectStore

/// A store that is not there, such as a disk that is not mounted.
struct AbsentStore: BatchReceiver {
  private let failure: DeliveryFailure

  init(_ error: LedgerError) { failure = DeliveryFailure(absence: error) }

  func deliver(_ batch: consuming SealedBatch) async -> DeliveryResult { .failed(failure) }
}

/// A store that was not there when a loop of syncs began. Each delivery looks for it again.
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
