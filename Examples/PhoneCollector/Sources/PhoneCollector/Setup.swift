import Foundation
import HealthLedger
import HealthModel
import HealthStreams
import ObjectStore
import Outbox
import S3Session
import S3Store
import Secrets
import SyncClients

/// What a person enters in an app: `settings.json` of the collector's folder. Keys and tokens are not
/// in it, but in `secrets`; on a phone in the Keychain.
struct Settings: Codable {
  struct Bucket: Codable {
    var name: String
    var endpoint: String?
    var region: String?
    /// The part before `health/v0/` and `streams/v0/`; empty for the bucket's root.
    var prefix: String?
  }

  /// The hub's address; its token is the secret `hub.token`.
  var hub: String?
  /// Its keys are the secrets of `S3Store.KeyName`. Without a bucket, days go to a folder.
  var bucket: Bucket?
  /// The Pushgateway's address, and the device's name there.
  var gateway: String?
  var instance: String?
  var zone: String
}

extension PhoneCollector {
  /// A collector with all that it has in one folder.
  init(in home: URL) throws {
    let settings = try JSONDecoder().decode(
      Settings.self, from: Data(contentsOf: home.appending(path: "settings.json")))
    let secrets = SecretFolder(path: home.appending(path: "secrets").path)
    identity = try CollectorIdentity.loadOrCreate(in: home)
    let device = identity.deviceID.uuidString.lowercased()
    func outbox(_ name: String) throws -> Outbox {
      try Outbox(
        path: home.appending(path: "\(name).sqlite").path, deviceID: device, appVersion: "1.0")
    }
    let (store, prefix) = (
      try Self.store(settings.bucket, secrets, home), settings.bucket?.prefix ?? ""
    )
    guard let streams = StreamLayout(prefix: prefix) else {
      throw Refused(why: "no store could hold the prefix")
    }
    var queues: [(outbox: Outbox, receiver: any BatchReceiver)] = []
    if let hub = settings.hub {
      guard let token = try secrets.secret(named: "hub.token") else {
        throw Refused(why: "the hub's token is not kept")
      }
      queues.append((try outbox("hub"), try IngestClient(hub, token: token)))
    }
    queues.append((try outbox("bucket"), BucketClient(store, layout: streams, feed: "phone")))
    self.queues = queues
    ledger = HealthLedger(store: store, layout: try LedgerLayout(prefix: prefix))
    gateway = try settings.gateway.map {
      try GatewayClient(
        $0, instance: settings.instance ?? "phone", file: home.appending(path: "push.json").path)
    }
    source = RecordedSource(folder: home.appending(path: "sensors"))
    zone = settings.zone
    budget = home.appending(path: "budget.json")
  }

  private static func store(
    _ bucket: Settings.Bucket?, _ secrets: SecretFolder, _ home: URL
  ) throws -> any ObjectStore {
    guard let bucket else {
      return try DirectoryStore(root: home.appending(path: "store"), createsRoot: true)
    }
    return try S3Store(
      bucket: bucket.name, endpoint: bucket.endpoint, region: bucket.region ?? "us-east-1",
      secrets: secrets, cacheFolder: home.appending(path: "caches"))
  }
}

/// What an app would show.
struct Refused: Error, CustomStringConvertible {
  let why: String
  var description: String { why }
}
