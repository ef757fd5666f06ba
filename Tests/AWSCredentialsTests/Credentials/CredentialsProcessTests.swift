import Foundation
import ObjectStore
import TestSupport
import Testing

@testable import AWSCredentials
@testable import S3Store

@Suite(.process) struct CredentialsFromProcess {
  private static func fixture(_ command: String) -> CredentialsFixture {
    CredentialsFixture(config: "[default]\ncredential_process = \(command)")
  }

  @Test func `a process's keys are taken, and its words are split as a shell does`() async throws {
    let script = """
      #!/bin/sh
      [ "$1" = "a b" ] && [ "$2" = "" ] && [ "$3" = 'c$HOME"d' ] && [ $# = 3 ] || exit 3
      [ -z "$(cat)" ] || exit 4
      echo '{"Version": 1, "AccessKeyId": "AKP", "SecretAccessKey": "process/secret",'
      echo ' "SessionToken": "process-token", "Expiration": "2099-01-01T00:00:00+00:00"}'
      """
    try await CredentialsFixture.withFile(script, executable: true) { path in
      let found = try await Self.fixture(#"\#(path)  'a b' "" c\$HOME"\"d""#).resolve()
      #expect(found.signing.accessKeyID == "AKP")
      #expect(found.signing.secretAccessKey.revealed == "process/secret")
      #expect(found.signing.sessionToken?.revealed == "process-token")
      #expect(found.expiresAt == 4_070_908_800)
      #expect(found.source == "credential_process of ~/.aws/config [default]")
    }
  }

  @Test func `what a failing process says is passed on, without secrets`() async throws {
    let script = """
      #!/bin/sh
      echo '{"Version": 1, "AccessKeyId": "AKP", "SecretAccessKey": "printed-secret"}'
      echo "vault is locked: printed-secret wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY $AWS_SESSION_TOKEN" >&2
      printf '\\033[31mred\\n' >&2
      exit 2
      """
    try await CredentialsFixture.withFile(script, executable: true) { path in
      var fixture = Self.fixture(path)
      fixture.variables["AWS_SESSION_TOKEN"] = "inherited-token"
      let text = try #require(await fixture.failure()).description
      #expect(text.contains("vault is locked"))
      #expect(text.contains("red"))
      for secret in ["printed-secret", "wJalrXUtnFEMI", "inherited-token", "\u{1B}"] {
        #expect(!text.contains(secret))
      }
    }
  }

  @Test(arguments: [
    ("/nonexistent/program", "not found"), ("no-such-program-anywhere", "not found"),
    ("'open quote", "open quote"), ("echo {}", "Version"), ("echo hello", "JSON"),
    ("true", "JSON"), ("false", "exited"), ("yes", "printed too much"),
    (#"echo '{"Version": 2, "AccessKeyId": "a", "SecretAccessKey": "b"}'"#, "Version"),
    (#"echo '{"Version": 1, "AccessKeyId": "a"}'"#, "SecretAccessKey"),
    (
      #"echo '{"Version": 1, "AccessKeyId": "a", "SecretAccessKey": "b", "Expiration": "soon"}'"#,
      "Expiration"
    ),
    (
      #"""
      echo '{"Version":1,"AccessKeyId":"a","SecretAccessKey":"b","Expiration":"2001-01-01T00:00:00Z"}'
      """#, "expired"
    ),
  ])
  func `a process that gives no keys is reported with its reason`(
    command: String, reason: String
  ) async {
    let failure = await Self.fixture(command).failure()
    #expect(failure?.description.contains(reason) == true, "\(String(describing: failure))")
    #expect(failure?.message.contains("~/.aws/config [default]") == true)
  }

  @Test func `a process that hangs is given up, children and all`() async throws {
    try await CredentialsFixture.withFile("#!/bin/sh\nsleep 20\n", executable: true) { path in
      var fixture = Self.fixture(path)
      fixture.processTimeout = .milliseconds(300)
      let failure = await fixture.failure()
      #expect(failure?.message.contains("longer than") == true)
    }
  }

  @Test func `many askers run a process once, and renewal comes before expiry`() async throws {
    let script = """
      #!/bin/sh
      echo run >>"$0.runs"
      echo '{"Version": 1, "SecretAccessKey": "s", "Expiration": "2050-01-01T01:00:00+01:00",'
      echo " \\"AccessKeyId\\": \\"AK$(grep -c run "$0.runs")\\"}"
      """
    try await CredentialsFixture.withFile(script, executable: true) { path in
      defer { try? FileManager.default.removeItem(atPath: path + ".runs") }
      var fixture = Self.fixture(path)
      fixture.clock = SettableClock(2_524_608_000 - 3600)
      let chain = try fixture.chain()
      try await withThrowingTaskGroup(of: ResolvedCredentials.self) { group in
        for _ in 0..<50 { group.addTask { try await chain.credentials() } }
        for try await found in group { #expect(found.signing.accessKeyID == "AK1") }
      }
      fixture.clock.set(2_524_608_000 - 301)
      let first = try await chain.credentials()
      #expect(first.signing.accessKeyID == "AK1")
      fixture.clock.set(2_524_608_000 - 299)
      #expect(try await chain.credentials().signing.accessKeyID == "AK2")

      await chain.invalidate(first)
      let second = try await chain.credentials()
      #expect(second.signing.accessKeyID == "AK2", "what is newer stays")
      await chain.invalidate(second)
      #expect(try await chain.credentials().signing.accessKeyID == "AK3")

      fixture.clock.set(2_524_608_000)
      let failure = await #expect(throws: StoreError.self) { try await chain.credentials() }
      #expect(failure?.message.contains("expired") == true)
    }
  }

  @Test func `words are split as Python's shlex splits them`() async throws {
    let pieces = [
      "a", "b c", " ", "  ", "'", "\"", "\\", "$x", "é", "\\\"", "\\'", "#", "\t", "=", "",
    ]
    var lines: [String] = []
    for _ in 0..<2000 {
      lines.append((0..<Int.random(in: 0...8)).map { _ in pieces.randomElement() ?? "" }.joined())
    }
    let output = try await PeerPython.run(
      "shlex_split.py", input: Array(try JSONEncoder().encode(lines)))
    let expected = try JSONDecoder().decode([[String]?].self, from: Data(output))
    for (line, words) in zip(lines, expected) {
      #expect(ShellWords.split(line) == words, "\(line)")
    }
  }
}
