import Foundation
import TestSupport
import Testing

/// Documents that need more than a fresh home.
extension DocumentSampleTests {
  @Test func `the history of the race's page is one that s3race check takes`() async throws {
    let program = try Program().race
    let page = try Document("docs/RACE.md")
    let block = try #require(page.blocks.first { $0.text.contains("s3health-race-1") })
    let file = try program.file("history.jsonl", block.text)
    let document = try await program.succeeds(["check", file, "--output", "json"]).json()
    #expect(document["events"] as? Int == 3 && document["histories"] as? Int == 1)
    #expect(document["date"] as? String == "2026-03-10")
    // And one that it judges: without the read's excuse of being early, null is too little.
    let late = block.text.replacing(
      #""from":3,"op":"read","to":5"#, with: #""from":10,"op":"read","to":11"#)
    let broken = try program.file("late.jsonl", late)
    #expect(try await program.run("check", broken).exitCode == 1)
  }

  @Test(arguments: TestServer.one.filter { !$0.speaksTLS && $0.checksSignatures })
  func `a bucket of one's own takes the commands of the guide`(server: TestServer) async throws {
    let document = try Document("docs/STORES.md")
    var program = try await reader(of: document).on(server)
    program.environment["AWS_ENDPOINT_URL"] = nil
    #expect(document.samples.count == 3)
    let store = "s3://\(server.bucket)/documents/\(UUID())"
    for sample in document.samples {
      let command = sample.command.replacing("s3://health/me", with: store)
        .replacing("https://minio.home:9000", with: server.endpoint)
      let result = try await run(command, program)
      #expect(result.exitCode == 0, "\(command): \(result.errors)\(result.output)")
      #expect(!result.output.isEmpty, "\(command)")
    }
  }

  /// Where a session is bound by a policy of its own, as a user is by hers.
}
