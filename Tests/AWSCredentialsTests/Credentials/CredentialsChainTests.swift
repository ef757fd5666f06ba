import Foundation
import Testing

@testable import AWSCredentials
@testable import S3Store

@Suite(.unit) struct CredentialsChain {
  @Test func `keys in the environment come first`() async throws {
    let found = try await CredentialsFixture(
      variables: [
        "AWS_ACCESS_KEY_ID": "AKENV", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t",
      ], credentials: "[default]\naws_access_key_id=A\naws_secret_access_key=b"
    ).resolve()
    #expect(found.signing.accessKeyID == "AKENV")
    #expect(found.signing.sessionToken?.revealed == "t")
    #expect(found.source == "AWS_ACCESS_KEY_ID")
    #expect(found.expiresAt == nil)
  }

  @Test func `a profile named by the flag goes before the environment`() async throws {
    var fixture = CredentialsFixture(
      variables: ["AWS_ACCESS_KEY_ID": "AKENV", "AWS_SECRET_ACCESS_KEY": "s"],
      credentials: "[x]\naws_access_key_id=AX\naws_secret_access_key=b")
    fixture.settings[.profile] = Sourced("x", by: "the test")
    let found = try await fixture.resolve()
    #expect(found.signing.accessKeyID == "AX")
    #expect(found.source == "~/.aws/credentials [x]")
  }

  @Test func `half a pair of keys is an error that names the other half`() async {
    let environment = await CredentialsFixture(variables: ["AWS_ACCESS_KEY_ID": "A"]).failure()
    #expect(environment?.code == .invalidRequest)
    #expect(environment?.message.contains("AWS_SECRET_ACCESS_KEY is not") == true)
    let file = await CredentialsFixture(credentials: "[default]\naws_access_key_id=A").failure()
    #expect(file?.message.contains("~/.aws/credentials [default]") == true)
  }

  @Test func `a key with a line break can't reach a header`() async {
    for secret in ["a\nb", "a b", "a\u{7F}", "ä"] {
      let failure = await CredentialsFixture(
        variables: ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": secret]
      ).failure()
      #expect(failure?.code == .invalidRequest)
    }
  }

  @Test func `without any source the error names the searched places and what to do`() async {
    let failure = await CredentialsFixture().failure()
    #expect(failure?.code == .notAuthorized)
    #expect(failure?.message.contains("profile default") == true)
    #expect(failure?.remedy?.description.contains("AWS_ACCESS_KEY_ID") == true)
  }

  @Test(arguments: [
    "sso_session = x", "sso_start_url = x", "login_session = x",
    "role_arn = r\nsource_profile = default\naws_access_key_id = A\naws_secret_access_key = b",
    "role_arn = r\nweb_identity_token_file = /f",
  ])
  func `a profile for which only the AWS CLI can get keys is not one without keys`(
    profile: String
  ) async {
    let failure = await CredentialsFixture(config: "[default]\n" + profile).failure()
    #expect(failure?.code == .invalidRequest)
    #expect(failure?.message.contains("~/.aws/config [default]") == true)
    #expect(failure?.remedy == .exportCredentials(profile: "default"))
  }

  @Test(arguments: [
    "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  ])
  func `a variable by which only the AWS CLI can get keys is named, with what to write`(
    name: String
  ) async throws {
    var fixture = CredentialsFixture(variables: [name: "http://u:hunter2@127.0.0.1/"])
    let failure = try #require(await fixture.failure())
    #expect(failure.code == .invalidRequest && failure.message.contains(name))
    #expect(failure.remedy?.description.contains("aws configure export-credentials") == true)
    // What is given otherwise goes before.
    fixture.variables["AWS_ACCESS_KEY_ID"] = "AKENV"
    fixture.variables["AWS_SECRET_ACCESS_KEY"] = "s"
    #expect(try await fixture.resolve().signing.accessKeyID == "AKENV")
  }
}
