import Foundation
import HTTPClient
import ObjectStore
import Testing

@testable import AWSCredentials
@testable import S3Store

/// Against real servers on this machine.
@Suite(.process) struct CredentialsServices {
  @Test func `a web identity token becomes credentials through STS`() async throws {
    try await CredentialsServer.with { server in
      try await CredentialsFixture.withFile("web-identity-token-eyJhbGciOi\n") { file in
        let found = try await CredentialsFixture(variables: [
          "AWS_WEB_IDENTITY_TOKEN_FILE": file, "AWS_ROLE_ARN": "arn:aws:iam::1:role/x",
          "AWS_ENDPOINT_URL_STS": server.url,
        ]).resolve()
        #expect(found.signing.accessKeyID == "AKWEB1")
        #expect(found.signing.secretAccessKey.revealed == "issued/secret/AKWEB/1")
        #expect(found.signing.sessionToken?.revealed == "issued+token+AKWEB==")
        #expect(found.expiresAt == 4_070_908_800)
        #expect(try await server.log() == ["POST /"])
      }
    }
  }

  @Test func `a refused token is reported in STS's words, without the token`() async throws {
    try await CredentialsServer.with { server in
      try await CredentialsFixture.withFile("another-token-0123") { file in
        let failure = await CredentialsFixture(variables: [
          "AWS_WEB_IDENTITY_TOKEN_FILE": file, "AWS_ROLE_ARN": "r",
          "AWS_ENDPOINT_URL_STS": server.url,
        ]).failure()
        #expect(failure?.code == .unavailable)
        #expect(failure?.message.contains("InvalidIdentityToken") == true)
        #expect(failure?.description.contains("another-token-0123") == false)
      }
    }
  }

  @Test func `a token is not sent to an STS endpoint without TLS`() async throws {
    try await CredentialsFixture.withFile("token") { file in
      let failure = await CredentialsFixture(variables: [
        "AWS_WEB_IDENTITY_TOKEN_FILE": file, "AWS_ROLE_ARN": "r",
        "AWS_ENDPOINT_URL_STS": "http://sts.example",
      ]).failure()
      #expect(failure?.code == .invalidRequest)
      #expect(failure?.message.contains("unencrypted") == true)
    }
  }

  @Test func `a role is assumed with the source profile's keys, signed as botocore signs`()
    async throws
  {
    try await CredentialsServer.with { server in
      let config = """
        [profile role]
        role_arn = arn:aws:iam::1:role/x
        source_profile = base
        external_id = id of +/&= things
        duration_seconds = 900
        """
      let variables = ["AWS_PROFILE": "role", "AWS_ENDPOINT_URL_STS": server.url]
      let found = try await CredentialsFixture(
        variables: variables, config: config,
        credentials: "[base]\naws_access_key_id=AKBASE\naws_secret_access_key=base/secret/key"
      ).resolve()
      #expect(found.signing.accessKeyID == "AKROLE1")
      #expect(found.source == "role_arn of ~/.aws/config [profile role]")
      let failure = await CredentialsFixture(
        variables: variables, config: config,
        credentials: "[base]\naws_access_key_id=AKBASE\naws_secret_access_key=wrong"
      ).failure()
      #expect(failure?.message.contains("SignatureDoesNotMatch") == true)
    }
  }

  @Test func `a container's agent is asked with the token of a file`() async throws {
    var expectation = CredentialsServer.Expectation()
    expectation.authorization = "Bearer container-token"
    expectation.failures = 2
    try await CredentialsServer.with(expectation) { server in
      try await CredentialsFixture.withFile("Bearer container-token\n") { file in
        let variables = [
          "AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url + "/container?id=1",
          "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": file,
        ]
        let found = try await CredentialsFixture(variables: variables).resolve()
        #expect(found.signing.accessKeyID == "AKCONTAINER1")
        #expect(try await server.log().count == 3, "two answers of 503 are tried again")
      }
      let failure = await CredentialsFixture(variables: [
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url + "/container?id=1",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN": "Bearer wrong-token",
      ]).failure()
      #expect(failure?.message.contains("401") == true)
      #expect(failure?.description.contains("wrong-token") == false)
    }
  }

  @Test(arguments: ["/garbage", "/endless"])
  func `an agent that answers nonsense is not quoted`(path: String) async throws {
    try await CredentialsServer.with { server in
      let failure = await CredentialsFixture(variables: [
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url + path
      ]).failure()
      #expect(failure?.code == .unavailable)
      #expect(failure?.description.contains("secret-garbage") == false)
    }
  }

  @Test func `instance metadata is asked in its second version`() async throws {
    try await CredentialsServer.with { server in
      let found = try await CredentialsFixture(variables: [
        "AWS_EC2_METADATA_DISABLED": "false", "AWS_EC2_METADATA_SERVICE_ENDPOINT": server.url + "/",
      ]).resolve()
      #expect(found.signing.accessKeyID == "AKMETADATA1")
      #expect(found.source == "instance metadata (role my-role)")
      #expect(
        try await server.log() == [
          "PUT /latest/api/token", "GET /latest/meta-data/iam/security-credentials/",
          "GET /latest/meta-data/iam/security-credentials/my-role",
        ])
    }
  }

  @Test func `no metadata service means no credentials, not a failure of it`() async throws {
    // A port that was free a moment ago.
    let socket = try FreePort.find()
    let failure = await CredentialsFixture(variables: [
      "AWS_EC2_METADATA_DISABLED": "false",
      "AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:\(socket)",
    ]).failure()
    #expect(failure?.code == .notAuthorized)
  }

  @Test func `many askers cause one request, and renewal comes before expiry`() async throws {
    var expectation = CredentialsServer.Expectation()
    expectation.expiration = "2050-01-01T01:00:00+01:00"
    try await CredentialsServer.with(expectation) { server in
      let fixture = CredentialsFixture(
        variables: ["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url + "/container?id=1"],
        clock: SettableClock(2_524_608_000 - 3600))
      let chain = try fixture.chain()
      try await withThrowingTaskGroup(of: ResolvedCredentials.self) { group in
        for _ in 0..<50 { group.addTask { try await chain.credentials() } }
        for try await found in group { #expect(found.signing.accessKeyID == "AKCONTAINER1") }
      }
      fixture.clock.set(2_524_608_000 - 301)
      let first = try await chain.credentials()
      #expect(first.signing.accessKeyID == "AKCONTAINER1")
      fixture.clock.set(2_524_608_000 - 299)
      #expect(try await chain.credentials().signing.accessKeyID == "AKCONTAINER2")

      await chain.invalidate(first)
      let second = try await chain.credentials()
      #expect(second.signing.accessKeyID == "AKCONTAINER2", "what is newer stays")
      await chain.invalidate(second)
      #expect(try await chain.credentials().signing.accessKeyID == "AKCONTAINER3")
      #expect(try await server.log().count == 3)

      fixture.clock.set(2_524_608_000)
      let failure = await #expect(throws: StoreError.self) { try await chain.credentials() }
      #expect(failure?.message.contains("expired") == true)
    }
  }
}
