public import HealthModel
public import ObjectStore

/// Takes sealed batches: a bucket, or a server that speaks the protocol of R46.
///
/// A receiver stores before it confirms. Delivering a batch again is harmless.
public protocol BatchReceiver: Sendable {
  /// Delivers one batch and waits for the answer.
  func deliver(_ batch: consuming SealedBatch) async -> DeliveryResult
}

/// What became of a delivery.
public enum DeliveryResult: Hashable, Sendable {
  /// The receiver has the whole batch, durably. `at` is its clock, where it has one.
  case confirmed(at: Timestamp?)
  /// It does not have it, or did not say so.
  case failed(DeliveryFailure)
}

/// Why a batch was not confirmed.
public struct DeliveryFailure: Error, Hashable, Sendable {
  /// What decides what happens next.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// No connection, no name, no route: nothing answered. Costs no attempt (R48).
    case offline
    /// Something was reached, and the answer did not come in time.
    case timeout
    /// 5xx, 429, or an answer that is not what the protocol says.
    case server
    /// 401 or 403, or credentials that are missing or wrong. Stops until settings change.
    case unauthorized
    /// The receiver, or this machine, has no room.
    case storageFull = "storage_full"
    /// 400 or 422: the batch itself is refused. It is bisected to find the entry (R48).
    case refused
    /// 413: the batch is too large for this receiver. It is halved.
    case tooLarge = "too_large"
    /// A file or folder may not be read or written.
    case permissionDenied = "permission_denied"
  }

  /// What decides what happens next.
  public let kind: Kind
  /// One sentence; without a secret, and at most 300 characters: `…` ends one that was cut.
  public let message: String
  /// What to do, where a store knows it.
  public let remedy: StoreError.Remedy?
  /// How long the receiver asks to wait (`Retry-After`), in seconds.
  public let retryAfter: Int?

  /// A failure.
  public init(
    _ kind: Kind, _ message: String, remedy: StoreError.Remedy? = nil, retryAfter: Int? = nil
  ) {
    (self.kind, self.remedy, self.retryAfter) = (kind, remedy, retryAfter)
    self.message = Self.bounded(message)
  }

  /// The message and what to do, in one line for later: at most 300 characters.
  package var note: String {
    remedy.map { Self.bounded("\(message); \($0)") } ?? message
  }

  private static func bounded(_ text: String) -> String {
    text.count > 300 ? text.prefix(299) + "…" : text
  }

  /// The code that R48 gives it: `E001` to `E005`.
  public var code: String {
    switch kind {
    case .offline, .timeout: "E001"
    case .unauthorized: "E002"
    case .server, .refused, .tooLarge: "E003"
    case .storageFull: "E004"
    case .permissionDenied: "E005"
    }
  }
}

/// The body of a request as a server takes it (R46): what `IngestRequest` reads,
/// in the bytes that are sealed and stored.
///
/// Batches of samples are read where they stand. All others, and every body with a fault, are read
/// by `IngestRequest`: with it alone, a batch of samples would cost a server six times as much.
package struct ReceivedBatch {
  package let stream: StreamName
  /// A UUID in lower case.
  package let deviceID: String
  private let appVersion: String
  private let session: String?
  private var entries: EntryBytes

  /// How many entries it has.
  package var recordCount: Int { entries.places.count }

  /// How many UTC dates its entries begin on.
  package var dateCount: Int {
    var dates: Set<CalendarDate> = []
    // There is nearly always only one.
    var last: CalendarDate?
    for entry in entries.places {
      let date = entry.span.lowerBound.utcDate
      if date != last { dates.insert(date) }
      last = date
    }
    return dates.count
  }

  /// Reads a body strictly.
  ///
  /// - Throws: `IngestRefusal` with every fault.
  package init(parsing body: [UInt8]) throws(IngestRefusal) {
    if let scan = RequestScan(body) {
      (stream, deviceID, entries) = (.healthKit, scan.deviceID, scan.entries)
      (appVersion, session) = (scan.metadata.appVersion, scan.metadata.session)
      return
    }
    let request = try IngestRequest(parsing: body)
    var entries = EntryBytes()
    for entry in request.entries { entries.append(entry) }
    (stream, deviceID, self.entries) = (request.stream, request.deviceID, entries)
    (appVersion, session) = (request.appVersion, request.session)
  }

  /// The same entries as a sealed batch, in the same memory.
  ///
  /// - Parameters:
  ///   - session: stands in for a session that the client did not send.
  ///   - digest: SHA-256 as 64 lower-case hex digits, by a library of the program's.
  package consuming func sealed(
    session: @autoclosure () -> String, digest: SealedBatch.Digest = SealedBatch.digest
  ) -> SealedBatch {
    var taken = EntryBytes()
    swap(&taken, &entries)
    var body = BatchBody(
      consume taken, session: self.session ?? session(), appVersion: appVersion)
    return body.seal(stream, deviceID: deviceID, digest: digest)
  }
}
