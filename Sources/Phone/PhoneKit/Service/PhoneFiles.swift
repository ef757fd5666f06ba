import Foundation
import HealthLedger
import HealthModel
import ObjectStore
import Secrets

/// The files of the app's folder.
struct PhoneFiles: Sendable {
  let folder: URL

  var log: String { folder.path }
  var settings: String { folder.appending(path: "settings.json").path }
  var days: URL { folder.appending(path: "days") }
  var caches: URL { folder.appending(path: "caches") }

  /// What is left of a run.
  func budget(_ name: String) -> String { folder.appending(path: "\(name).budget").path }
  func queue(_ name: String) -> String { folder.appending(path: "\(name).sqlite").path }
  /// What was sent of the newest days as records.
  var records: String { folder.appending(path: "records.json").path }
  /// The older days of which Health has news.
  var changedDates: String { folder.appending(path: "changed.json").path }
  /// What a gateway was sent.
  func pushed(_ gateway: PhoneGateway) -> String {
    folder.appending(path: "push-\(gateway.id).json").path
  }

  static let maximumSettings = 262_144

  /// What was kept last; the initial values if nothing was. A damaged file is moved aside.
  ///
  /// - Returns: the settings, and where a damaged file is now.
  /// - Throws: `PhoneFailure` if the file can't be read at the moment, as before the phone was
  ///   unlocked for the first time: initial values would replace it with the next change.
  func loadSettings() throws -> (PhoneSettings, damaged: String?) {
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.read(settings, maximumBytes: Self.maximumSettings)
    } catch {
      guard error.number == ENOENT else {
        throw PhoneFailure("the settings can't be read: \(error.reason)")
      }
      return (PhoneSettings(), nil)
    }
    if let kept = try? JSONDecoder().decode(PhoneSettings.self, from: Data(bytes)) {
      return (kept, nil)
    }
    let aside = folder.appending(path: "settings.damaged.json").path
    guard rename(settings, aside) == 0 else {
      throw PhoneFailure("the settings are damaged: \(SystemFailure().reason)")
    }
    return (PhoneSettings(), aside)
  }

  func keep(_ kept: PhoneSettings) throws {
    do {
      try PrivateFolder.create(folder.path)
      try SmallFile.replace(settings, with: [UInt8](try JSONEncoder().encode(kept)))
    } catch let failure as SystemFailure {
      throw PhoneFailure("the settings can't be kept: \(failure.reason)")
    }
  }

  func budgetBytes(_ name: String) -> [UInt8]? {
    try? SmallFile.read(budget(name), maximumBytes: 4096)
  }

  func keepBudget(_ bytes: [UInt8], _ name: String) throws {
    do {
      try SmallFile.replace(budget(name), with: bytes)
    } catch let failure {
      throw PhoneFailure("what is left of a run can't be kept: \(failure.reason)")
    }
  }
}

extension Collector {
  /// The ids of this phone (R12). They are secrets' neighbours, because the Keychain outlasts the app:
  /// after a reinstallation they are the same.
  static func kept(in secrets: any SecretStore) throws -> Collector {
    func id(_ name: String) throws -> UUID {
      if let kept = try secrets.secret(named: name), let id = UUID(uuidString: kept.revealed) {
        return id
      }
      try secrets.keep(Secret(UUID().uuidString), named: name)
      // What is kept counts: another process may have kept its own meanwhile.
      guard let id = try secrets.secret(named: name).flatMap({ UUID(uuidString: $0.revealed) })
      else { throw PhoneFailure("the collector's ids can't be kept") }
      return id
    }
    return Collector(
      collectorID: try id("collector.collector_id"), deviceID: try id("collector.device_id"))
  }
}
