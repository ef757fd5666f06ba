import Foundation
import HTTPClient
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
    fixture.settings.profile = "x"
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

  @Test func `a profile that signs in by SSO or MFA is distinguished from one without keys`() async
  {
    let sso = await CredentialsFixture(config: "[default]\nsso_session = x").failure()
    #expect(sso?.remedy == .exportCredentials(profile: "default"))
    let login = await CredentialsFixture(config: "[default]\nlogin_session = x").failure()
    #expect(login?.remedy == .exportCredentials(profile: "default"))
    let mfa = await CredentialsFixture(
      config: "[default]\nrole_arn = r\nsource_profile = x\nmfa_serial = m"
    ).failure()
    #expect(mfa?.message.contains("MFA") == true)
  }

  @Test func `profiles that name each other as source end in an error`() async {
    let failure = await CredentialsFixture(
      variables: ["AWS_PROFILE": "a"],
      config: """
        [profile a]
        role_arn = ra
        source_profile = b
        [profile b]
        role_arn = rb
        source_profile = a
        """
    ).failure()
    #expect(failure?.code == .invalidRequest)
    #expect(failure?.message.contains("leads back to itself") == true)
  }

  @Test(arguments: [
    ("http://example.com/x", false), ("http://169.254.169.254/x", false),
    ("http://127.0.0.1.example.com/x", false), ("http://u:p@127.0.0.1/x", false),
    ("ftp://127.0.0.1/x", false), ("http://127.0.0.1/a b", false),
    ("http://127.0.0.1:51679/creds?x=1", true), ("http://169.254.170.2/x", true),
    ("http://169.254.170.23", true), ("http://[fd00:ec2::23]/x", true),
    ("http://localhost/x", true), ("https://example.com/x", true),
  ])
  func `a container's token goes to the agent, this machine or over TLS`(
    url: String, isTaken: Bool
  ) throws {
    let environment = try AWSEnvironment(variables: ["AWS_CONTAINER_CREDENTIALS_FULL_URI": url])
    #expect((try? ContainerEndpoint.read(environment)?.url) == (isTaken ? url : nil))
  }
}
