import Foundation
import HealthLedger
import ObjectStore
import Testing

@testable import CommandLineKit

/// Opening a store by its settings, and looking whether it does what the ledger needs.
@Suite(.unit) struct OpenedStoreTests {
  /// A home of its own.
  private let home = FileManager.default.temporaryDirectory
    .appending(path: "store-access-\(UInt64.random(in: .min ... .max))").path

  private func settings(
    _ store: String, _ change: (inout GivenSettings) -> Void = { _ in },
    _ environment: [String: String] = [:]
  ) throws -> StoreSettings {
    var given = GivenSettings()
    given.take(.store, store, by: "the test")
    change(&given)
    let usual = [
      "HOME": home, "AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": "a secret of hers",
    ]
    return try StoreSettings(given, environment: usual.merging(environment) { $1 })
  }

  private func open(_ settings: StoreSettings) throws(LedgerError) -> OpenedStore {
    try OpenedStore(settings, for: .writing)
  }

  @Test func `a folder is opened, and found to keep what it promises`() async throws {
    let folder = home + "/days"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: home) }
    let store = try open(try settings(folder))
    #expect(store.backend == .folder && store.name == folder && store.origins.isEmpty)
    let checks = await store.checks
    #expect(checks.map(\.name) == ["reachable", "conditional writes"])
    #expect(checks.allSatisfy { $0.outcome == .ok }, "\(checks)")
    // Scratch objects are gone.
    let left = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { !$0.hasSuffix(".lock") && $0.contains(".check") }
    #expect(left.isEmpty, "\(left)")
  }

  @Test func `a folder that is not there is not made unless it is the usual one`() throws {
    let error = try #require(throws: LedgerError.self) {
      try open(try settings(home + "/nowhere"))
    }
    #expect(error.message == "the folder \(home)/nowhere does not exist")
    #expect(error.code == .storageUnavailable)
    #expect(!FileManager.default.fileExists(atPath: home))
    defer { try? FileManager.default.removeItem(atPath: home) }
    let usual = try StoreSettings(GivenSettings(), environment: ["HOME": home])
    #expect(try open(usual).name == home + "/.local/share/s3health/store")
  }

  @Test func `a bucket is opened without a request, and its settings have their origins`() throws {
    let store = try open(
      try settings("s3://bucket/me") {
        $0.take(.endpointURL, "https://127.0.0.1:9", by: "--endpoint-url")
      })
    #expect(store.backend == .s3ObjectStore && store.name.hasPrefix("s3://bucket/me"))
    #expect(store.whyNoPointer == nil)
    let settings = Dictionary(
      uniqueKeysWithValues: store.origins.map { ($0.setting, $0.value) })
    #expect(settings["endpoint_url"] == "https://127.0.0.1:9" && settings["proxy"] == "none")
    #expect(!store.origins.contains { $0.value.contains("secret") })
  }

  @Test func `requests have a price at AWS alone, so that a live view asks it less often (R58)`()
    throws
  {
    #expect(try open(try settings("s3://bucket/me")).hasPricedRequests)
    let own = try settings("s3://bucket/me") {
      $0.take(.endpointURL, "https://127.0.0.1:9", by: "the test")
    }
    #expect(!(try open(own).hasPricedRequests))
  }

  @Test func `authorities that can't be read are reported before anything is sent`() throws {
    let error = try #require(throws: LedgerError.self) {
      try open(
        try settings("s3://bucket") {
          $0.take(.endpointURL, "https://127.0.0.1:9", by: "the test")
          $0.take(.caBundle, "/nowhere/authorities.pem", by: "the test")
        })
    }
    #expect(error.remedy?.description.contains("--ca-bundle") == true)
    #expect(error.message.contains("/nowhere/authorities.pem can't be read"))
  }

  @Test(arguments: ["s3://", "s3://two words", "s3://bucket/\u{1}"])
  func `a bucket or prefix that can't be one is refused`(name: String) throws {
    let error = try #require(throws: LedgerError.self) { try open(try settings(name)) }
    #expect(error.code == .invalidArguments)
  }
}
