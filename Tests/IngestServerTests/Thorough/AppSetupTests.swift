import Foundation
import HealthLedger
import HealthModel
import HealthReport
import TestSupport
import Testing
import s3healthd

@testable import IngestServer

/// What is entered in an app, and the link that does it (R55).
@Suite(.process) struct AppSetupTests {
  private static let token = "s3h_0123"

  private func query(_ link: String) throws -> [String: String] {
    let items = try #require(URLComponents(string: link)?.queryItems)
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { a, _ in a }
  }

  @Test func `R55: Overland's link has the address and the token`() throws {
    let setup = AppSetup(
      .overland, server: "https://health.home:8443/", name: "phone", token: Self.token)
    #expect(setup.url == "https://health.home:8443/overland")
    #expect(setup.link.hasPrefix("overland://setup?"))
    #expect(
      try query(setup.link) == [
        "url": setup.url, "token": Self.token, "device_id": "phone", "unique_id": "yes",
      ])
  }

  @Test func `R55: OwnTracks' link holds a configuration for HTTP`() throws {
    for name in ["a", "ab", "phone", "a.b_c-d"] {
      let setup = AppSetup(.ownTracks, server: "https://h", name: name, token: Self.token)
      #expect(setup.link.hasPrefix("owntracks:///config?inline="))
      let inline = try #require(try query(setup.link)["inline"])
      let data = try #require(Data(base64Encoded: inline))
      let settings = try JSONValue(parsing: Array(data))
      #expect(settings["_type"] == .string("configuration") && settings["mode"] == .number(3))
      #expect(settings["url"] == .string("https://h/owntracks"))
      #expect(settings["username"] == .string(name) && settings["auth"] == .bool(true))
      #expect(settings["password"] == .string(Self.token))
    }
  }

  @Test func `R55: Health Auto Export's link sends a header and overlapping days`() throws {
    let setup = AppSetup(.healthAutoExport, server: "https://h", name: "phone", token: Self.token)
    let query = try query(setup.link)
    #expect(query["url"] == "https://h/health-auto-export")
    #expect(query["headers"] == "Authorization,Bearer \(Self.token)")
    #expect(query["format"] == "json" && query["period"] == "none" && query["interval"] == "days")
    #expect(setup.fields.contains { $0.value == "Authorization: Bearer \(Self.token)" })
  }

  @Test func `R55: the server's address is taken with the app's path, too, and must be one`() {
    func url(_ server: String) -> String {
      AppSetup(.overland, server: server, name: "phone", token: Self.token).url
    }
    for server in [
      "https://h/sub", "https://h/sub/", "https://h/sub/overland", "https://h/sub/owntracks/",
      "https://h/sub//overland",
    ] {
      #expect(AppSetup.isServer(server) && url(server) == "https://h/sub/overland", "\(server)")
    }
    #expect(
      AppSetup.isServer("http://192.168.1.5:8080") && AppSetup.isServer("https://[::1]:8443/"))
    for text in ["", "h", "ftp://h", "https://", "https://h?x=1", "https://u@h", "https://h/a b"] {
      #expect(!AppSetup.isServer(text), "\(text)")
    }
  }

  @Test(arguments: ["overland", "owntracks", "health-auto-export"])
  func `R55: the set-up link is shown as a QR code where that is asked for`(app: String)
    async throws
  {
    let program = try Program()
    let command = ["token", "add", "phone", "--app", app, "--url", "https://health.home:8443"]
    let output = try await HubProgram.run(program, command + ["--qr"])
    let lines = output.split(separator: "\n").map(String.init)
    let entry = try #require(lines.first { $0.hasPrefix("set-up link") })
    let link = try #require(entry.split(separator: " ").last)
    let code = lines.filter { $0.contains("▀") || $0.contains("█") }
    #expect(code.allSatisfy { $0.count == code[0].count && $0.count <= 80 }, "it fits a terminal")
    let read = try JSONValue(
      parsing: try await PeerPython.run(
        "qr_codes.py", input: JSONValue.array(code.map(JSONValue.string)).canonicalBytes))
    let isRead = ["L", "M"].map { JSONValue.array([.array([.string(String(link)), .string($0)])]) }
      .contains(read)
    #expect(isRead, "\(read)")
    // Not into a pipe by itself, and not without an address that the phone could open.
    let plain = try await HubProgram.run(program, ["token", "add", "other"] + command.dropFirst(3))
    #expect(!plain.contains("█"))
    for arguments in [Array(command.dropLast(2)) + ["--qr"], command + ["--qr", "-o", "json"]] {
      await #expect(throws: HubProgram.Failure.self) {
        try await HubProgram.run(program, arguments)
      }
    }
  }
}
