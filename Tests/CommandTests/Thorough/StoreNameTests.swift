import Foundation
import TestSupport
import Testing

/// How a store and its settings are named, and which name counts.
@Suite(.server) struct StoreNameTests {
  /// The folder that a put with these arguments has written to.
  private func used(
    _ program: Program, _ arguments: [String], among folders: [URL]
  ) async throws -> [String] {
    try await program.succeeds(["put", "--input", "-"] + arguments, input: payload())
    let used = try folders.filter { try !contents(of: $0).isEmpty }.map(\.lastPathComponent)
    for folder in folders {
      try? FileManager.default.removeItem(at: folder.appending(path: "health"))
    }
    return used
  }

  @Test
  func `a flag goes before the variable, the variable before the file, that before the default`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    let (flag, variable, file) = (
      try program.folder("flag"), try program.folder("variable"), try program.folder("file")
    )
    let all = [flag, variable, file, program.defaultStore]
    #expect(try await used(program, [], among: all) == ["store"])
    _ = try program.file(
      ".config/s3health/config", Array("# mine\nstore = \(file.path)   # there\n".utf8))
    #expect(try await used(program, [], among: all) == ["file"])
    program.environment["S3HEALTH_STORE"] = variable.path
    #expect(try await used(program, [], among: all) == ["variable"])
    #expect(try await used(program, ["--store", flag.path], among: all) == ["flag"])
    let other = try program.file("other.conf", Array("store = \(flag.path)\n".utf8))
    program.environment["S3HEALTH_STORE"] = ""
    #expect(try await used(program, ["--config", other], among: all) == ["flag"])
    program.environment["S3HEALTH_CONFIG"] = other
    #expect(try await used(program, [], among: all) == ["flag"])
  }

  @Test func `a folder is named by a path, a URL or from home`() async throws {
    var program = try Program()
    defer { program.removeHome() }
    let folder = try program.folder("my health/store")
    for name in [
      folder.path, folder.path + "/", "file://" + folder.path.replacing(" ", with: "%20"),
      "~/my health/store",
    ] {
      #expect(try await used(program, ["--store", name], among: [folder]) == ["store"], "\(name)")
    }
    program.workingDirectory = program.home.path
    for name in ["my health/store", "./my health/store"] {
      #expect(try await used(program, ["--store", name], among: [folder]) == ["store"], "\(name)")
    }
  }

  @Test func `the data folder of the XDG base directories is used where it is set`() async throws {
    var program = try Program()
    defer { program.removeHome() }
    let data = try program.folder("data")
    program.environment["XDG_DATA_HOME"] = data.path
    try await program.succeeds(["put", "--input", "-"], input: payload())
    #expect(try !contents(of: data.appending(path: "s3health/store")).isEmpty)
    #expect(try contents(of: program.defaultStore).isEmpty)
  }

  @Test func `a configuration file may come from Windows, and a folder's name may hold a #`()
    async throws
  {
    var program = try Program()
    defer { program.removeHome() }
    program.environment["S3HEALTH_TIMEZONE"] = ""
    let folder = try program.folder("a#b")
    let text = "\u{FEFF}# mine\r\nstore = \(folder.path) # there\r\ntimezone = Asia/Tokyo\r\n"
    _ = try program.file(".config/s3health/config", Array(text.utf8))
    #expect(try await used(program, [], among: [folder, program.defaultStore]) == ["a#b"])
    let settings = try await program.succeeds(["doctor", "--output", "json"]).json()["settings"]
    let values = (settings as? [[String: String]])?.compactMap { $0["value"] }
    #expect(values?.prefix(2) == [folder.path, "Asia/Tokyo"], "\(values ?? [])")
  }

  @Test(arguments: [
    "S3HEALTH_STORE", "S3HEALTH_CONFIG", "S3HEALTH_TIMEZONE", "S3HEALTH_CACHE_SIZE",
    "S3HEALTH_COLLECTOR_ID", "S3HEALTH_DEVICE_ID", "S3HEALTH_SOURCE",
  ])
  func `a variable that is empty counts as not set`(name: String) async throws {
    var program = try Program()
    defer { program.removeHome() }
    program.environment[name] = ""
    try await program.succeeds(["put", "--input", "-"], input: payload())
    #expect(try !contents(of: program.defaultStore).isEmpty)
  }

  @Test func `a fault in the configuration file is reported with its line`() async throws {
    let program = try Program()
    defer { program.removeHome() }
    for (text, phrase) in [
      ("store = /x\n\nstoer = /y\n", "line 3: there is no setting \"stoer\""),
      ("store\n", "line 1: not `name = value`"), ("addressing_style = up\n", "\"up\""),
    ] {
      let file = try program.file(".config/s3health/config", Array(text.utf8))
      try await program.fails(["get"], as: .invalidArguments, saying: phrase, file)
    }
    _ = try program.file(".config/s3health/config", [0xFF, 0xFE])
    try await program.fails(["get"], as: .invalidArguments, saying: "UTF-8")
    let big = try program.file(".config/s3health/config", .init(repeating: 0x23, count: 70_000))
    try await program.fails(["get"], as: .invalidArguments, saying: big)
  }

  @Test(arguments: TestServer.one)
  func `a bucket can be named whole in the configuration file`(server: TestServer) async throws {
    var program = try Program().on(server)
    defer { program.removeHome() }
    program.environment["AWS_ENDPOINT_URL"] = nil
    program.environment["AWS_REGION"] = nil
    var lines = [
      "store = s3://\(server.bucket)/commands/\(UUID())", "endpoint_url = \(server.endpoint)",
      "region = \(server.region)", "timezone = Asia/Kolkata", "addressing_style = path",
    ]
    if let caBundle = server.caBundle { lines.append("ca_bundle = \(caBundle)") }
    program.environment["S3HEALTH_TIMEZONE"] = ""
    let file = try program.file(
      ".config/s3health/config", Array(lines.joined(separator: "\n").utf8))
    try await program.succeeds(["put", "--input", "-"], input: payload())
    let get = try await program.succeeds(["get", "2026-02-08"])
    #expect(get.output.contains("Asia/Kolkata"))
    let doctor = try await program.succeeds(["doctor", "--output", "json"])
    let settings = try #require(try doctor.json()["settings"] as? [[String: String]])
    for name in ["store", "timezone"] {
      #expect(settings.first { $0["setting"] == name }?["origin"] == file)
    }
  }

  @Test(arguments: TestServer.one)
  func `keys come from the files of aws-cli as well`(server: TestServer) async throws {
    var program = try Program().on(server)
    defer { program.removeHome() }
    program.environment["AWS_ACCESS_KEY_ID"] = nil
    program.environment["AWS_SECRET_ACCESS_KEY"] = nil
    _ = try program.file(
      ".aws/credentials",
      Array(
        """
        [health]
        aws_access_key_id = \(server.accessKey)
        aws_secret_access_key = \(server.secretKey)
        """.utf8))
    let script = try program.file(
      "keys.sh",
      Array(
        """
        printf '{"Version": 1, "AccessKeyId": "%s", "SecretAccessKey": "%s"}' \
        '\(server.accessKey)' '\(server.secretKey)'
        """.utf8))
    _ = try program.file(
      ".aws/config",
      Array("[profile made]\ncredential_process = sh \(script)\n".utf8))
    let store = server.arguments()
    try await program.succeeds(
      ["put", "--input", "-", "--profile", "health"] + store, input: payload())
    let get = try await program.succeeds(
      ["get", "2026-02-08", "--profile", "made"] + store)
    #expect(get.output.contains("8,432"))
  }
}
