import Foundation
import ObjectStore
import Synchronization

@testable import AWSCredentials
@testable import S3Store

/// A clock that a test sets.
final class SettableClock: Sendable {
  private let seconds: Mutex<Int>
  init(_ seconds: Int) { self.seconds = Mutex(seconds) }
  var now: Int { seconds.withLock { $0 } }
  func set(_ now: Int) { seconds.withLock { $0 = now } }
}

/// The default chain over given files and variables, and nothing of this machine's.
struct CredentialsFixture {
  var variables: [String: String] = ["PATH": "/usr/bin:/bin"]
  var config = ""
  var credentials = ""
  var settings = S3Settings()
  var processTimeout: Duration = .seconds(60)
  var clock = SettableClock(Int(Date().timeIntervalSince1970))

  func chain() throws -> DefaultCredentials {
    let environment = try AWSEnvironment(
      variables: variables, config: Array(config.utf8), credentials: Array(credentials.utf8))
    let configuration = try S3Configuration.resolve(
      url: "s3://bucket", settings: settings, environment: environment)
    let clock = clock
    return DefaultCredentials(
      environment: environment, configuration: configuration, processTimeout: processTimeout,
      now: { clock.now })
  }

  func resolve() async throws(StoreError) -> ResolvedCredentials {
    do {
      return try await chain().credentials()
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.invalidRequest, "\(error)")
    }
  }

  /// The error that `resolve` ends in, as text.
  func failure() async -> StoreError? {
    do {
      _ = try await resolve()
      return nil
    } catch {
      return error
    }
  }

  /// A file with this text, for the length of `body`.
  static func withFile(
    _ text: String, executable: Bool = false, _ body: (String) async throws -> Void
  ) async throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "s3health-\(UUID().uuidString)")
    try Data(text.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    if executable {
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
    }
    try await body(url.path)
  }
}
