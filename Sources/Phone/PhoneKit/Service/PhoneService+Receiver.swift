import HealthEvents
import HealthLedger
import HealthModel
import HealthStreams
import ObjectStore
import Outbox
import S3Session
import S3Store
public import Secrets
import SyncClients

extension PhoneService {
  /// Keeps a hub's token.
  public func keep(token: Secret) throws {
    try environment.secrets.keep(token, named: PhoneReceiver.tokenName)
  }

  /// Keeps a bucket's keys.
  public func keep(accessKeyID: Secret, secretAccessKey: Secret) throws {
    try environment.secrets.keep(accessKeyID, named: S3Store.KeyName.accessKeyID)
    try environment.secrets.keep(secretAccessKey, named: S3Store.KeyName.secretAccessKey)
  }

  /// Asks a receiver whether it can be used. No data is sent.
  ///
  /// - Returns: why not, for the person; nil if it can be used.
  public func verify(_ receiver: PhoneReceiver) async -> String? {
    await verify(receiver, with: [:])
  }

  /// Verifies with secrets that were entered but are not kept yet.
  func verify(_ receiver: PhoneReceiver, with entered: [String: Secret?]) async -> String? {
    let secrets = EnteredSecrets(kept: environment.secrets, entered: entered)
    do {
      switch receiver {
      case .hub(let url): try await IngestClient(url, token: Self.token(secrets)).verify()
      case .bucket:
        // A read shows that the keys count, and the probe that the bucket can be written to.
        _ = try await Self.store(receiver, secrets, files).conditionalWrites()
      case .gateways: return await refusalOfGateways()
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Why the gateways can't be used; nil if each that is on has taken a number of a test.
  private func refusalOfGateways() async -> String? {
    let gateways = settings.gateways.filter(\.isOn)
    if gateways.isEmpty { return "add a Pushgateway first" }
    for gateway in gateways {
      if let reason = await test(gateway) { return "\(gateway.url): \(reason)" }
    }
    return nil
  }

  /// Uses a verified receiver and its secrets from now on. Queued entries go there. Streams that it has
  /// no use for are turned off.
  func use(_ receiver: PhoneReceiver, with entered: [String: Secret?]) throws {
    try EnteredSecrets(kept: environment.secrets, entered: entered).keepAll()
    try change { settings in
      settings.queue = settings.queue ?? settings.receiver?.queueName
      settings.receiver = receiver
      settings.streams.formIntersection(receiver.streams)
    }
  }

  func token() throws -> Secret { try Self.token(environment.secrets) }

  private static func token(_ secrets: any SecretStore) throws -> Secret {
    guard let token = try secrets.secret(named: PhoneReceiver.tokenName) else {
      throw PhoneFailure("the endpoint's token was not entered")
    }
    return token
  }

  /// The receiver that is set, as a sync needs it.
  func receiver() throws -> any BatchReceiver {
    switch settings.receiver {
    case nil, .gateways?: throw PhoneFailure("no receiver of raw data was verified")
    case .hub(let url)?: return try IngestClient(url, token: try token())
    case .bucket(_, _, _, let prefix)?:
      guard let receiver = settings.receiver, let layout = StreamLayout(prefix: prefix) else {
        throw PhoneFailure("no store could hold the prefix")
      }
      return BucketClient(
        try Self.store(receiver, environment.secrets, files), layout: layout, feed: "phone")
    }
  }

  /// Where days are published: the person's bucket, else a folder, which may be one of iCloud Drive.
  func ledger() throws -> HealthLedger {
    guard case .bucket(_, _, _, let prefix)? = settings.receiver, let receiver = settings.receiver
    else {
      return HealthLedger(store: try folder())
    }
    return HealthLedger(
      store: try Self.store(receiver, environment.secrets, files),
      layout: try LedgerLayout(prefix: prefix))
  }

  /// The folder of days. It is in iCloud from the moment the person signs in.
  private func folder() throws -> DirectoryStore {
    if let cloud = environment.cloud {
      do throws(StoreError) {
        return try DirectoryStore(cloudContainer: nil, in: cloud)
      } catch  where error.code == .storeMissing {
        log(type: "cloud_missing", "iCloud Drive can't be used; days stay on the phone")
      }
    }
    return try DirectoryStore(root: files.days, createsRoot: true)
  }

  private static func store(
    _ receiver: PhoneReceiver, _ secrets: any SecretStore, _ files: PhoneFiles
  ) throws -> S3Store {
    guard case .bucket(let name, let endpoint, let region, _) = receiver else {
      throw PhoneFailure("the receiver is not a bucket")
    }
    return try S3Store(
      bucket: name, endpoint: endpoint, region: region, secrets: secrets,
      cacheFolder: files.caches)
  }

  /// Logs what a sync did, a line for each stream that sent something, and notifies of what is new.
  func took(_ report: SyncReport) async {
    for outcome in report.streams where outcome.requests > 0 {
      var details: [String: JSONValue] = [
        "stream": .string(outcome.stream.rawValue), "entries": .number(Double(outcome.entries)),
        "bytes": .number(Double(outcome.bytes)),
      ]
      details["code"] = outcome.failure.map { .string($0.code) }
      log(
        outcome.succeeded ? .syncSucceeded : .syncFailed,
        outcome.failure.map { "\($0.code): \($0.message)" } ?? "the batch was confirmed", details)
    }
    let dropped = report.droppedForSpace.failed + report.droppedForSpace.pending
    if dropped > 0 {
      log(
        .entriesDropped, "the phone is nearly full: entries not uploaded were dropped",
        ["entries": .number(Double(dropped))])
    }
    let free = report.status.space.usable
    if report.status.needsSpace {
      log(.storageLow, "E004: \(free / 1_000_000) MB are left on the phone")
    }
    var happened: [NotificationMachine.Event] = [.freeSpace(free)]
    if let failure = report.failures.first {
      happened.append(
        .failed(
          .sync, reason: "\(failure.code): \(failure.message)",
          isOffline: failure.kind == .offline))
    } else if report.requests > 0 {
      happened.append(.succeeded(.sync))
    }
    await tell(happened)
  }
}
