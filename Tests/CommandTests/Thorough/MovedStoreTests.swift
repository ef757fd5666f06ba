import Foundation
import TestSupport
import Testing

/// docs/MOVING.md: a store goes from a folder to a bucket and back, and is the same store.
@Suite(.server) struct MovedStoreTests {
  enum Place: String { case bucket, folder }

  /// A store of days, of a person's days and of raw data, that moves.
  private struct Story {
    let program: Program
    let server: TestServer
    let prefix = "moved/\(UUID())"
    /// Copies from the one to the other.
    let move: (Story, _ to: Place, _ folder: URL) async throws -> Void

    var bucket: [String] { server.arguments(prefix: prefix) }

    func put(_ steps: Int, _ store: [String], _ more: [String] = []) async throws -> String {
      let put = try await program.succeeds(
        ["put", "--input", "-"] + store + more, input: payload(steps: steps))
      return String(put.output.prefix { $0 != " " })
    }

    /// What readers are told of it, and that nothing of it is faulty.
    func told(_ store: [String]) async throws -> [String] {
      let range = ["--from", "2026-02-07", "--to", "2026-02-08"]
      let cached = store.contains { $0.hasPrefix("s3:") } ? ["--no-cache"] : []
      let verify = try await program.succeeds(
        ["verify", "--deep"] + range + cached + store, printing: "2 days: 2 complete")
      #expect(!verify.output.contains("foreign"))
      try await program.succeeds(["raw", "verify"] + store, printing: "no findings")
      var told: [String] = []
      for command in [
        ["get", "2026-02-08", "-o", "json"], ["get", "2026-02-08", "--history"],
        ["get", "2026-02-08", "-o", "json", "--person", "ann"],
        ["raw", "cat", "--stream", "location"],
      ] {
        told.append(
          try await program.succeeds(command + store).output.replacing("\(prefix)/", with: ""))
      }
      return told
    }

    func play() async throws {
      let old = try program.folder("old")
      let folder = ["--store", old.path]
      #expect(try await put(1000, folder) == "published")
      #expect(try await put(8432, folder) == "published")
      try await program.put(payload("2026-02-07"), folder)
      #expect(try await put(70, folder, ["--person", "ann"]) == "published")
      let point = """
        {"timestamp":"2026-02-08T07:00:00.000Z","latitude":52.5,"longitude":13.4,"altitude":34,\
        "speed":1.3,"horizontal_accuracy":5,"vertical_accuracy":3}
        """
      try await program.succeeds(
        ["raw", "add", "--stream", "location", "--input", "-"], input: point)
      try await program.succeeds(["raw", "sync"] + folder)
      _ = try program.file("old/health/v0/.probe/left", [1])
      let told = try await told(folder)

      try await move(self, .bucket, old)
      #expect(try await self.told(bucket) == told)
      #expect(try await put(8432, bucket) == "unchanged")
      // The pointer that was copied moves on.
      #expect(try await put(9000, bucket) == "published")
      let later = try await self.told(bucket)
      #expect(later != told)

      let new = try program.folder("new")
      chmod(new.path, 0o700)
      try await move(self, .folder, new)
      #expect(try await self.told(["--store", new.path]) == later)
      let names = try FileManager.default.subpathsOfDirectory(atPath: new.path)
      #expect(!names.contains { $0.contains(".s3health-race") || $0.contains(".probe/") })
      #expect(!names.contains { $0.contains(".s3healthd") })
      for name in names where !name.hasPrefix(".s3health") {
        let attributes = try FileManager.default.attributesOfItem(
          atPath: new.appending(path: name).path)
        let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
        #expect(attributes[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(name)")
      }
      #expect(try await put(9000, ["--store", new.path]) == "unchanged")
      #expect(try await put(9500, ["--store", new.path]) == "published")
      #expect(try await self.told(["--store", new.path]) != later)
    }
  }

  @Test(arguments: TestServer.one)
  func `a store copied to a bucket and back stays the same`(server: TestServer) async throws {
    let story = Story(program: try Program().on(server), server: server) { story, place, folder in
      let question = server.question([
        "prefix": story.prefix + "/", "folder": folder.path, "to": place.rawValue,
      ])
      let copied = try await PeerPython.run(
        "bucket.py", arguments: ["move"],
        input: [UInt8](JSONSerialization.data(withJSONObject: question)))
      #expect(Int(String(decoding: copied, as: UTF8.self).dropLast()) ?? 0 > 5)
    }
    try await story.play()
  }

  /// The lines of the document as they are, but for the bucket's name and the folder's.
  @Test(arguments: TestServer.one)
  func `the lines of docs/MOVING.md for rclone move a store in both directions`(server: TestServer)
    async throws
  {
    // They stand in a list.
    let lines = try Document("docs/MOVING.md").text.split(separator: "\n")
      .filter { $0.contains("rclone copy ") }.map { $0.trimmingPrefix(#/ */#) }.map(String.init)
    try #require(lines.count == 2)
    let rclone = ProjectTree.root.appending(path: ".venv-servers/bin")
    try #require(FileManager.default.fileExists(atPath: rclone.appending(path: "rclone").path))
    var program = try Program().on(server)
    let settings = [
      "TYPE": "s3", "PROVIDER": "Other", "ENV_AUTH": "true", "ENDPOINT": server.endpoint,
      "REGION": server.region,
    ]
    for (name, value) in settings { program.environment["RCLONE_CONFIG_MINIO_\(name)"] = value }
    if let bundle = server.caBundle { program.environment["RCLONE_CA_CERT"] = bundle }
    let story = Story(program: program, server: server) { story, place, folder in
      let line = lines[place == .bucket ? 0 : 1]
        .replacing("minio:health/me", with: "minio:\(server.bucket)/\(story.prefix)")
        .replacing("~/health", with: "'\(folder.path)'")
      let run = try await story.program.inShell("PATH='\(rclone.path)':\"$PATH\"; \(line)").run([])
      #expect(run.exitCode == 0, "\(line): \(run.output)\(run.errors)")
    }
    try await story.play()
  }
}
