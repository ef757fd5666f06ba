import HealthLedger
import Testing

@testable import CommandLineKit

/// The configuration file: what it says, and how it is edited.
@Suite(.unit) struct ConfigurationFileTests {
  private func file(_ text: String) throws(LedgerError) -> ConfigurationFile {
    try ConfigurationFile(path: "/home/ann/.config/s3health/config", text: text)
  }

  private func message(_ text: String) throws -> String {
    try #require(throws: LedgerError.self) { try file(text).storeName }.message
  }

  @Test func `comments, blanks and Windows' line ends are not part of a value`() throws {
    let file = try file("# all of it\r\nstore = a#b # mine\r\n\r\n  region=eu-central-1\t\r\n")
    #expect(file.values == [.store: "a#b", .region: "eu-central-1"])
    #expect(file.folder == "/home/ann/.config/s3health")
  }

  @Test func `a line that sets nothing is refused by its number`() throws {
    #expect(try message("store = a\nwhat").hasSuffix("config, line 2: not `name = value`"))
    #expect(try message("stor = a").contains("line 1: there is no setting \"stor\""))
  }

  @Test func `a setting without a value counts as not set, and an edit gives it one`() throws {
    let empty = try file("# mine\nperson =\nsource = # later\ngateway =\nregion = one\n")
    #expect(empty.values == [.region: "one"] && empty.gateways.isEmpty)
    let edit = try ConfigurationEdit(empty, setting: [(.source, "/in")], heading: "")
    #expect(edit.file.text == "# mine\nperson =\nsource = /in # later\ngateway =\nregion = one\n")
    #expect(try message("source =\nsource = a").contains("line 2: source is given a second time"))
  }

  @Test func `a setting that is given twice is refused, except for gateways`() throws {
    #expect(
      try message("store = a\n\nstore = b").hasSuffix("line 3: store is given a second time"))
    #expect(try file("gateway = http://a\ngateway = http://b").gateways.count == 2)
  }

  @Test func `a backend says what kind of store a bare name is, and must fit the name`() throws {
    #expect(try file("store = b/p\nbackend = s3_object_store").storeName == "s3://b/p")
    #expect(try file("store = s3://b\nbackend = s3_object_store").storeName == "s3://b")
    #expect(try file("store = here\nbackend = folder").storeName == "here")
    #expect(try message("store = s3://b\nbackend = folder").contains("is not of the backend"))
    #expect(try message("backend = folder").hasSuffix("backend is given without store"))
    #expect(try message("store = a\nbackend = tape").hasSuffix("there is no backend \"tape\""))
  }

  @Test func `an edit changes the line of its setting, and nothing else`() throws {
    let old = try file("# mine\nregion = one  # near\nstore = s3://b\n")
    let edit = try ConfigurationEdit(
      old, setting: [(.region, "three"), (.store, "s3://b"), (.profile, "me")], heading: "# new\n")
    #expect(
      edit.file.text
        == "# mine\nregion = three  # near\nstore = s3://b\nprofile = me\n")
    #expect(edit.changes.map(\.name) == [.region, .profile])
    #expect(edit.changes.map(\.old) == ["one", nil])
  }

  @Test func `a new file begins with the heading that the front end gives`() throws {
    let edit = try ConfigurationEdit(
      try file(""), setting: [(.store, "s3://b")], heading: "# Made by a test.\n")
    #expect(edit.file.text == "# Made by a test.\nstore = s3://b\n")
  }

  @Test(arguments: ["two\nlines", " blank", "a #b"])
  func `a value that would be read back as another is refused`(value: String) throws {
    let error = try #require(throws: LedgerError.self) {
      try ConfigurationEdit(try file(""), setting: [(.store, value)], heading: "")
    }
    #expect(error.message.contains("can't hold one of"))
  }

  @Test func `a store's name is a bucket, a folder from the home or the working one, or a URL`()
    throws
  {
    func location(_ name: String) throws(LedgerError) -> StoreLocation {
      try StoreLocation(name, home: "/home/ann", workingDirectory: "/tmp")
    }
    #expect(try location("s3://b/p") == .s3("s3://b/p"))
    #expect(try location("~/days") == .directory("/home/ann/days"))
    #expect(try location("days") == .directory("/tmp/days"))
    #expect(try location("file:///a%20b+c") == .directory("/a b+c"))
    for name in ["", "file://host/path", "file:///a%2", "file:///%FF", "file:///%00", "a\0b"] {
      #expect(throws: LedgerError.self) { try location(name) }
    }
    #expect(try location("s3://b").backend == .s3ObjectStore)
    #expect(try location("/days").backend == .folder)
  }

  @Test func `folders follow the XDG variables, but for relative paths`() {
    let usual = UserDirectories(environment: ["HOME": "/h"])
    #expect(usual.configuration == "/h/.config/s3health" && usual.home == "/h")
    let moved = UserDirectories(
      environment: ["HOME": "/h", "XDG_DATA_HOME": "/data", "XDG_CACHE_HOME": "cache"])
    #expect(moved.data == "/data/s3health")
    #if os(Linux)
      #expect(moved.cache == "/h/.cache/s3health")
    #endif
  }
}
