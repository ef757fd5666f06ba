import Foundation
import HealthModel
import TestSupport
import Testing

/// The pages of an administrator of the real program, in a real headless Chromium (R65,
/// Tests/Peers/people_pages.py). Screenshots are kept where S3HEALTH_SCREENSHOTS names a folder.
@Suite(.serialized, .process, .browser) struct PeoplePagesTests {
  @Test
  func `R65: an administrator adds people and ends their access on pages without script or values`()
    async throws
  {
    let environment = ProcessInfo.processInfo.environment
    let browser = try #require(environment["S3HEALTH_BROWSER"], "run the tests by scripts/test")
    let root = FileManager.default.temporaryDirectory.appending(path: "people-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let question: [String: JSONValue] = [
      "program": .string(HubProgram.path), "s3health": .string(BuiltProgram.path("s3health")),
      "root": .string(root.path), "browser": .string(browser),
      "folder": environment["S3HEALTH_SCREENSHOTS"].map { .string($0) } ?? .null,
    ]
    let told = try JSONValue(
      parsing: try await PeerPython.run(
        "people_pages.py", input: JSONValue.object(question).canonicalBytes))
    for member in ["console", "failures", "elsewhere", "refused"] {
      #expect(told[member] == .array([]), "\(member)")
    }
    func text(_ name: String) -> String { told[name]?.stringValue ?? "" }
    func number(_ name: String) -> Int? { told[name]?.numberValue.map { Int($0) } }

    #expect(text("unknown") == "The server does not know this token, or it was revoked.")
    #expect(text("persons") == "This token is not an administrator’s.")
    #expect(text("phones") == "This token is not an administrator’s.")
    #expect(text("signed_in") == "/people")
    #expect(
      told["cookie"]
        == .object([
          "name": .string("s3healthd-people"), "httpOnly": .bool(true),
          "sameSite": .string("Strict"), "path": .string("/"),
        ]))
    #expect(number("dashboard") == 303)
    #expect(text("list").contains("14 days from 2026-02-01 to 2026-02-14, 1 token, Europe/Berlin"))
    #expect(text("list").contains("broken\nno days, no token, settings can’t be read"))
    #expect(!text("list").contains("8,0") && !text("list").contains("80"), "no values")
    for member in ["id_refused", "path_refused", "empty"] {
      #expect(text(member).hasPrefix("The id of a person must be 1 to 63"), "\(member)")
    }
    #expect(text("zone_refused").contains("Mars/Olympus"))
    #expect(told["still_entered"] == .bool(true) && told["secret"] == .bool(true))
    #expect(number("posted") == 200 && number("before") == 200 && number("left") == 200)
    #expect(text("twice").hasPrefix("There is a token of this name"))
    #expect(text("person").contains("cid-") && !text("person").contains("1,234"))
    #expect(text("person_zone") == "Pacific/Kiritimati" && text("saved") == "Asia/Tokyo")
    #expect(text("question").contains("1 token of cid would end at once"))
    #expect(text("question").contains("What is stored stays"))
    #expect(text("ended").hasPrefix("None:"))
    #expect(number("after") == 401)
    #expect(number("unknown_person") == 404 && number("no_person") == 400)
    #expect(number("forged") == 403 && told["ann_stays"] == .bool(true))
    #expect(text("signed_out") == "You are signed out." && text("kept_cookie") == "/people/sign-in")
    #expect(number("exit_code") == 0 && told["secrets_in_log"] == .bool(false))

    let looks = try #require(told["looks"]?.objectValue)
    #expect(looks.count == 24)
    let fits = JSONValue.object(["by": .number(0), "elements": .array([])])
    for (name, look) in looks {
      #expect(look["axe"] == .array([]), "\(name)")
      #expect((look["contrast"]?.numberValue ?? 0) >= 4.5, "\(name)")
      #expect(look["wider"] == fits, "\(name)")
      #expect(look["small"] == .array([]), "\(name)")
    }
  }
}
