import Foundation
import TestSupport
import Testing

/// Every other integration test runs once per entry of `TestServer.all`, or of `every`, so an empty
/// list would let them all pass without having run. These tests make that a failure.
@Suite(.server) struct TestServersTests {
  @Test func `the test servers are there`() {
    let file = ProcessInfo.processInfo.environment["S3HEALTH_TEST_SERVERS"]
    #expect(file != nil, "S3HEALTH_TEST_SERVERS is not set: run the tests by scripts/test")
    #expect(!TestServer.all.isEmpty, "\(file ?? "no file") names no server, or is not such a list")
  }

  /// rclone says 400 to a request without a signature.
  @Test(arguments: TestServer.every)
  func `each test server answers`(server: TestServer) async throws {
    let status = try await server.unsignedStatus()
    #expect([200, 400, 403].contains(status))
  }

  @Test(arguments: TestServer.every)
  func `each test server has two buckets of its own`(server: TestServer) {
    #expect(!server.bucket.isEmpty)
    #expect(server.bucket != server.versionedBucket)
    #expect(!server.versionedBucket.isEmpty || server.conditions != .full)
    #expect(TestServer.every.count { $0.name == server.name } == 1)
  }
}
