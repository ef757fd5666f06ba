import AWSCredentials
import Foundation
import HealthLedger
import S3Store
import TestSupport
import Testing

@testable import CommandLineKit

/// Which of the places that name a setting counts, and what is said of those that can't be used.
@Suite(.unit) struct StoreSettingsTests {
  private static let home = ["HOME": "/home/ann"]

  /// A configuration file that lies at /etc/health/config.
  private func file(_ lines: String...) throws -> ConfigurationFile {
    try ConfigurationFile(
      path: "/etc/health/config", text: lines.joined(separator: "\n") + "\n")
  }

  private func settings(
    _ change: (inout GivenSettings) -> Void = { _ in }, file lines: String = "",
    _ environment: [String: String] = [:]
  ) throws -> StoreSettings {
    var given = GivenSettings()
    change(&given)
    return try StoreSettings(
      given, file: try file(lines), environment: Self.home.merging(environment) { $1 })
  }

  private func failure(
    _ change: (inout GivenSettings) -> Void = { _ in }, file lines: String = "",
    _ environment: [String: String] = [:]
  ) throws -> LedgerError {
    try #require(throws: LedgerError.self) { try settings(change, file: lines, environment) }
  }

  private func origin(_ setting: String, in settings: StoreSettings) -> String? {
    settings.origins.first { $0.setting == setting }?.origin
  }

  @Test
  func `what was given comes before a variable, that before the file, that before the default`()
    throws
  {
    let variable = ["S3HEALTH_STORE": "s3://variable"]
    let given = try settings(
      { $0.take(.store, "s3://given", by: "the caller") }, file: "store = s3://file", variable)
    #expect(given.location == .s3("s3://given"))
    #expect(origin("store", in: given) == "the caller")
    let fromVariable = try settings(file: "store = s3://file", variable)
    #expect(fromVariable.location == .s3("s3://variable"))
    #expect(origin("store", in: fromVariable) == "S3HEALTH_STORE")
    // An empty variable counts as not set.
    let fromFile = try settings(file: "store = s3://file", ["S3HEALTH_STORE": ""])
    #expect(fromFile.location == .s3("s3://file"))
    #expect(origin("store", in: fromFile) == "/etc/health/config")
    let usual = try settings()
    #expect(usual.location == .directory("/home/ann/.local/share/s3health/store"))
    #expect(origin("store", in: usual) == "default")
  }

  @Test func `a relative path starts at the file's folder, and of a variable at the working one`()
    throws
  {
    let lines = """
      store = days
      source = exports
      ca_bundle = ~/ca.pem
      gateway_password_file = secrets/password
      gateway_token_file = /token
      """
    let inFile = try settings(file: lines)
    #expect(inFile.location == .directory("/etc/health/days"))
    #expect(inFile.source?.path == "/etc/health/exports")
    #expect(inFile[.caBundle]?.value == "/home/ann/ca.pem")
    #expect(inFile[.gatewayPasswordFile]?.value == "/etc/health/secrets/password")
    #expect(inFile[.gatewayTokenFile]?.value == "/token")
    let here = FileManager.default.currentDirectoryPath
    let variables = try settings(
      file: lines,
      [
        "S3HEALTH_STORE": "days", "S3HEALTH_SOURCE": "exports",
        "S3HEALTH_GATEWAY_PASSWORD_FILE": "password", "S3HEALTH_GATEWAY_TOKEN_FILE": "~/token",
      ])
    #expect(variables.location == .directory(here + "/days"))
    #expect(variables.source?.path == "exports")
    #expect(variables[.gatewayPasswordFile]?.value == "password")
    #expect(variables[.gatewayTokenFile]?.value == "/home/ann/token")
    #expect(
      Setting.filed.filter(\.isPath)
        == [.source, .caBundle, .gatewayPasswordFile, .gatewayTokenFile])
  }

  @Test func `the zone, the cache and the source have their origins too`() throws {
    let lines = "timezone = Europe/Paris\ncache_size = 32MB\nsource = exports\nstore = s3://b"
    let filed = try settings(file: lines)
    #expect(filed[.timezone] == Sourced("Europe/Paris", by: "/etc/health/config"))
    #expect(filed.cacheSize == 32_000_000 && filed[.cacheSize]?.origin == "/etc/health/config")
    // A relative path in the file starts from the file's own folder.
    #expect(filed.source?.path == "/etc/health/exports")
    let variables = try settings(
      file: lines,
      [
        "S3HEALTH_TIMEZONE": "UTC", "S3HEALTH_CACHE_SIZE": "0", "S3HEALTH_SOURCE": "~/exports",
      ])
    #expect(variables[.timezone] == Sourced("UTC", by: "S3HEALTH_TIMEZONE"))
    #expect(variables.cacheSize == 0)
    #expect(variables.source?.path == "/home/ann/exports")
    #expect(origin("source", in: variables) == "S3HEALTH_SOURCE")
    let given = try settings(
      {
        $0.take(.timezone, "Asia/Tokyo", by: "a letter")
        $0.take(.cacheSize, "7", by: "a friend")
      }, file: lines)
    #expect(given[.timezone] == Sourced("Asia/Tokyo", by: "a letter"))
    #expect(given.cacheSize == 7 && given[.cacheSize]?.origin == "a friend")
  }

  @Test func `a bucket's settings come from the caller, else from the file, whose path is noted`()
    throws
  {
    let settings = try settings(
      {
        $0.take(.region, "eu-west-1", by: "the caller")
        $0.take(.timeout, "9", by: "the caller")
      },
      file: """
        endpoint_url = https://minio.home:9000
        region = us-east-1
        addressing_style = path
        allow_plaintext = true
        sse = aws:kms
        sse_kms_key_id = key
        max_attempts = 3
        """)
    let s3 = settings.s3Settings
    let file = "/etc/health/config"
    #expect(s3[.endpointURL] == Sourced("https://minio.home:9000", by: file) && s3.file == file)
    #expect(s3[.region] == Sourced("eu-west-1", by: "the caller"))
    #expect(s3[.addressingStyle]?.value == "path" && s3.allowsPlaintext)
    #expect(try s3.encryption() == .kms(keyID: "key"))
    #expect(s3[.timeout]?.value == "9" && s3[.maximumAttempts]?.value == "3")
  }

  @Test func `encryption and addressing come from variables, else from the file`() throws {
    let lines = "sse = AES256\naddressing_style = path"
    let filed = try settings(file: lines).s3Settings
    #expect(try filed.encryption() == .aes256)
    #expect(filed[.addressingStyle] == Sourced("path", by: "/etc/health/config"))
    let variables = [
      "S3HEALTH_SSE": "aws:kms", "S3HEALTH_SSE_KMS_KEY_ID": "k",
      "S3HEALTH_ADDRESSING_STYLE": "virtual",
    ]
    let set = try settings(file: lines, variables).s3Settings
    #expect(try set.encryption() == .kms(keyID: "k"))
    #expect(set[.sse]?.origin == "S3HEALTH_SSE")
    #expect(set[.addressingStyle] == Sourced("virtual", by: "S3HEALTH_ADDRESSING_STYLE"))
    let odd = try failure(file: lines, ["S3HEALTH_SSE_KMS_KEY_ID": "k"])
    #expect(
      odd.message
        == "/etc/health/config: there is no server-side encryption \"AES256\" with the key of "
        + "S3HEALTH_SSE_KMS_KEY_ID")
    #expect(
      try failure(file: "", ["S3HEALTH_SSE": "ROT13"]).message
        == "S3HEALTH_SSE is \"ROT13\", not AES256 or aws:kms")
  }

  @Test func `a setting that can't be used is refused by its origin`() throws {
    let timeout = try failure { $0.take(.timeout, "0", by: "the form's field Timeout") }
    #expect(timeout.message == "the form's field Timeout is \"0\", not a number from 1 to 3600")
    #expect(timeout.code == .invalidArguments)
    #expect(
      try failure(file: "max_attempts = 101").message
        == "/etc/health/config: max_attempts is \"101\", not a number from 1 to 100")
    #expect(
      try failure(file: "", ["S3HEALTH_ADDRESSING_STYLE": "odd"]).message
        == "S3HEALTH_ADDRESSING_STYLE is \"odd\", not auto, path or virtual")
    #expect(
      try failure(file: "allow_plaintext = maybe").message
        == "/etc/health/config: allow_plaintext is \"maybe\", not true or false")
    #expect(
      try failure(file: "cache_size = big").message
        == "/etc/health/config: cache_size is \"big\", not a size such as 64MB, or 0 to turn the cache off"
    )
  }

  @Test func `an unknown kind of store and a missing file are refused, with what to write instead`()
    throws
  {
    let store = try failure { $0.take(.store, "ftp://host", by: "the caller") }
    #expect(store.remedy?.description.contains("s3://bucket/prefix") == true)
    let file = try #require(throws: LedgerError.self) {
      try ConfigurationFile("/nowhere/config", [:], mustExist: true)
    }
    #expect(file.remedy == "check --config")
  }

  @Test func `the guide lists every setting of the file with its option and its variables`() throws
  {
    let guide = try String(
      contentsOf: ProjectTree.root.appending(path: "docs/SETTINGS.md"), encoding: .utf8)
    func words(_ cell: Substring, _ pattern: Regex<(Substring, Substring)>) -> [String] {
      cell.matches(of: pattern).map { String($0.1) }
    }
    var listed: Set<Setting> = []
    for line in guide.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      let settings = words(cells[1], #/`([a-z_]+)`/#).compactMap(Setting.init)
      listed.formUnion(settings)
      if cells[3].contains("and so on") { continue }
      let variables = words(cells[3], #/`([A-Z_0-9]+)`/#).filter { $0 != "TZ" }
      #expect(variables == settings.flatMap(\.variables), "\(line)")
      if let flag = cells[2].wholeMatch(of: #/ `(--[a-z-]+)` /#), settings != [.source] {
        #expect(settings.map(\.flag) == [String(flag.1)], "\(line)")
      }
    }
    #expect(listed == Set(Setting.filed))
  }

  @Test func `settings can be handed to another process whole`() throws {
    var given = GivenSettings()
    given.take(.store, "s3://bucket/prefix", by: "--store")
    given.take(.allowPlaintext, "true", by: "--allow-plaintext")
    given.take(.timeout, "5", by: "s3race")
    let bytes = try JSONEncoder().encode(given)
    #expect(try JSONDecoder().decode(GivenSettings.self, from: bytes) == given)
  }

  @Test(arguments: [
    ("0", 0), ("64MB", 64_000_000), ("500k", 500_000), ("1 GB", 1_000_000_000), ("12b", 12),
  ])
  func `a size is read as people write it`(text: String, bytes: Int) {
    #expect(ByteSize(text)?.bytes == bytes)
  }

  @Test(arguments: ["", "MB", "-1", "1.5MB", "1TB", "9999999999999k", "1001GB", "１MB"])
  func `what is not a size, or beyond a terabyte, is refused`(text: String) {
    #expect(ByteSize(text) == nil)
  }
}
