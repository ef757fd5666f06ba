import Foundation
import HealthModel
import TestSupport
import Testing

/// The dashboard of the real program, in a real headless Chromium (Tests/Peers/dashboard_browser.py
/// and dashboard_looks.py) and with many pages open (Tests/Peers/dashboard_load.py). Screenshots are
/// kept where S3HEALTH_SCREENSHOTS names a folder.
@Suite(.serialized, .process, .browser) struct DashboardBrowserTests {
  /// What a trial in the browser has met, each of which asks nobody but the server.
  private func trial(_ script: String) async throws -> JSONValue {
    let environment = ProcessInfo.processInfo.environment
    let browser = try #require(environment["S3HEALTH_BROWSER"], "run the tests by scripts/test")
    let root = FileManager.default.temporaryDirectory.appending(path: "dashboard-\(UUID())")
    defer {
      for end in ["", "-empty"] {
        try? FileManager.default.removeItem(at: URL(filePath: root.path + end))
      }
    }
    let question: [String: JSONValue] = [
      "program": .string(HubProgram.path), "s3health": .string(BuiltProgram.path("s3health")),
      "root": .string(root.path), "browser": .string(browser),
      "folder": environment["S3HEALTH_SCREENSHOTS"].map { .string($0) } ?? .null,
    ]
    let told = try JSONValue(
      parsing: try await PeerPython.run(
        script, input: JSONValue.object(question).canonicalBytes, in: .all))
    for member in ["console", "failures", "elsewhere"] {
      #expect(told[member] == .array([]), "\(member)")
    }
    return told
  }

  @Test func `R59: a signed-in person sees changes, and the server's return`() async throws {
    let told = try await trial("dashboard_browser.py")
    // What was seen, in the order of the story.
    #expect(
      told["refusal"]?.stringValue == "The server does not know this token, or it was revoked.")
    #expect(
      told["cookie"]
        == .object(["httpOnly": .bool(true), "sameSite": .string("Strict"), "path": .string("/")]))
    #expect(told["cookie_in_script"]?.stringValue == "")
    #expect(told["before"]?.stringValue == "– nothing published yet")
    for member in [
      "posted", "elsewhere_published", "stayed", "reconnected", "synced", "kept_cookie", "revoked",
    ] {
      #expect(told[member] == .bool(true), "\(member)")
    }
    let log = told["log"]?.stringValue ?? ""
    #expect(log.contains("watch posted to /api/ingest, 1 received"))
    #expect(!log.contains("1,234") && !log.contains("1234"), "the log has no values")
    #expect(told["sender"]?.stringValue?.hasPrefix("watch ingest") == true)
    #expect(told["news"]?.stringValue == "Steps 1,234 steps", "what a screen reader hears")
    #expect(told["goal"]?.stringValue == "Goal reached! 131 % of 8,000 steps")
    #expect(told["pushes_before"]?.numberValue == 0, "without pushes none are mentioned")
    #expect(told["push_failed"]?.numberValue == 69 && told["push_succeeded"]?.numberValue == 0)
    #expect(told["push"]?.stringValue?.contains("<b>hub") == true, "shown, and not obeyed")
    #expect(told["exit_code"]?.numberValue == 0)
    #expect(told["lost"]?.stringValue == "Connection lost. These figures may be old.")
    #expect(told["still_shown"]?.stringValue == "10,500 steps")
    #expect(told["forged"]?.numberValue == 403)
    #expect(told["metric"]?.stringValue == "/metric/steps?span=month")
    for member in ["read_out", "hovered", "day_heading", "start", "begun"] {
      #expect(told[member] == .bool(true), "\(member)")
    }
    let source = told["source"]?.stringValue ?? ""
    #expect(source.contains("from metrics_json, all of the day, read"))
    #expect(told["came_back"]?.stringValue == "/metric/steps?span=month")
    #expect(told["signed_out"]?.stringValue == "You are signed out.")
    #expect(told["clicks"]?.numberValue == 2, "from an empty store to the first chart")
    #expect(told["start_axe"] == .array([]))
  }

  /// The pages that are looked at.
  private static let pages = ["today", "year", "day", "metric", "all", "sleep", "status"]

  private static let fits = JSONValue.object(["by": .number(0), "elements": .array([])])

  @Test func `R59: pages are whole at each width, in each colour and by keyboard`() async throws {
    let told = try await trial("dashboard_looks.py")
    let looks = try #require(told["looks"]?.objectValue)
    #expect(looks.count == 10)
    for (name, look) in looks {
      for page in Self.pages {
        let seen = look["pages"]?[page]
        #expect((seen?["contrast"]?["ratio"]?.numberValue ?? 0) >= 4.5, "\(name) \(page)")
        #expect((seen?["contrast"]?["marks"]?.numberValue ?? 0) >= 3, "\(name) \(page)")
        #expect(seen?["wider"] == Self.fits, "\(name) \(page)")
        #expect(seen?["axe"] ?? .array([]) == .array([]), "\(name) \(page)")
      }
      #expect(look["refused"] == .array([]), "\(name)")
      #expect(look["moving"]?.numberValue == (name.hasPrefix("wall") ? 0 : 1), "\(name)")
    }
    let forced = try #require(told["forced"]?.objectValue)
    #expect(forced.count == 2 * Self.pages.count)
    for (name, look) in forced {
      #expect((look["text"]?["ratio"]?.numberValue ?? 0) >= 4.5, "\(name): \(look)")
      #expect((look["shapes"]?["ratio"]?.numberValue ?? 0) >= 3, "\(name): \(look)")
      // Seven on a page of a metric on which today has no number yet: a date may begin while this runs.
      #expect((look["shapes"]?["count"]?.numberValue ?? 0) >= 7, "\(name)")
      #expect(look["axe"] == .array([]), "\(name)")
    }
    for page in Self.pages {
      let paper = told["paper"]?[page]
      for member in ["cut", "dark", "pressed", "hidden", "unprinted"] {
        #expect(paper?[member] == .array([]), "\(page) \(member)")
      }
      #expect(paper?["wider"] == Self.fits && paper?["unnumbered"]?.numberValue == 0, "\(page)")
      let keyboard = told["keyboard"]?[page]
      #expect((keyboard?["wanted"]?.numberValue ?? 0) > 5, "\(page)")
      #expect(keyboard?["reached"] == keyboard?["wanted"], "\(page)")
      #expect(keyboard?["unmarked"] == .array([]), "\(page)")
    }
    #expect((told["paper"]?["all"]?["rows"]?.numberValue ?? 0) > 300)
    #expect(told["still"]?.stringValue == "Not live")
    #expect(told["still_pages"] == .array(Self.pages.map { .string($0) }))
    #expect(told["sign_in_axe"] == .array([]))
    let consent = try #require(told["consent"]?.arrayValue)
    #expect(consent.count == 3)
    for look in consent {
      #expect(look["asks"] == .bool(true) && look["axe"] == .array([]), "\(look)")
      #expect((look["contrast"]?["ratio"]?.numberValue ?? 0) >= 4.5 && look["wider"] == Self.fits)
    }
    let tree = try #require(told["tree"]?.arrayValue)
    func names(_ role: String) -> [String] {
      tree.filter { $0["role"]?.stringValue == role }.compactMap { $0["name"]?.stringValue }
    }
    for role in ["banner", "main", "contentinfo", "status"] { #expect(names(role).count == 1) }
    #expect(Set(names("region")) == ["Today", "Trends"])
    #expect(names("button") == ["Sync now", "Sign out"])
    #expect(names("navigation") == ["Pages", "Span of the trends"])
    #expect((names("image") + names("heading")).allSatisfy { !$0.isEmpty })
  }

  @Test func `R59: pages of ten years are below 60 kB packed, and made once`() async throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "decade-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let told = try await PeerPython.report(
      "dashboard_load.py",
      [
        "decade", HubProgram.path, root.path,
        BuiltProgram.path("s3health"),
      ])
    func packed(_ page: String) -> Double { told[page]?["packed"]?.numberValue ?? .infinity }
    for (page, figures) in told.objectValue ?? [:] {
      #expect(packed(page) + packed("styles") + packed("script") < 60_000, "\(page)")
      #expect((figures["bytes"]?.numberValue ?? 0) > 1000, "\(page)")
      // Of the processor, not of the clock: other programs may run.
      #expect((figures["second_worked"]?.numberValue ?? 1) < 0.2, "\(page): \(figures)")
    }
    #expect(told.objectValue?.count == 9)
  }

  @Test func `R59: 200 open pages cost under 50 MB, and SIGTERM ends them`() async throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "streams-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    let told = try await PeerPython.report(
      "dashboard_load.py",
      ["streams", HubProgram.path, root.path, "200"])
    func number(_ name: String) -> Double { told[name]?.numberValue ?? -1 }
    #expect(number("megabytes_published") - number("megabytes_without") < 50, "\(told)")
    #expect(number("reached") == 200)
    #expect(number("exit_code") == 0)
    #expect(number("ended") == 200)
    #expect(number("limited_after") == 8, "32 of a session, 25 of which were open")
  }
}
