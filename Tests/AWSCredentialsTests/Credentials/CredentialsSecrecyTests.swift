import Foundation
import Secrets
import SigV4
import Testing

@testable import AWSCredentials
@testable import S3Store

@Suite(.unit) struct CredentialsSecrecy {
  private static let marker = "hunter2"

  /// Every text that Swift makes of a value without being asked for more.
  private static func texts<T>(_ value: T) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [
      dumped, String(describing: value), String(reflecting: value), "\(value)",
      "\([value])", "\(["k": value])", "\(Optional(value) as Any)",
      "\(Mirror(reflecting: value).children.map { "\($0)" })",
    ]
  }

  private static func expectNoSecret<T>(
    _ value: T, _ location: SourceLocation = #_sourceLocation
  ) {
    for text in texts(value) {
      #expect(!text.contains(marker), "\(T.self) shows a secret", sourceLocation: location)
    }
  }

  @Test func `no type that holds a secret shows it`() throws {
    let signing = SigningCredentials(
      accessKeyID: "AK", secretAccessKey: "hunter2-secret", sessionToken: "hunter2-token")
    Self.expectNoSecret(Secret("hunter2"))
    Self.expectNoSecret(signing)
    Self.expectNoSecret(ResolvedCredentials(signing, source: "s"))
    Self.expectNoSecret(StaticCredentials(signing))

    let file = """
      [default]
      aws_access_key_id = AK
      aws_secret_access_key = hunter2-file
      aws_session_token = hunter2-file-token
      credential_process = printer --password hunter2-process
      s3 =
        password = hunter2-block
      """
    let environment = try AWSEnvironment(
      variables: [
        "AWS_SECRET_ACCESS_KEY": "hunter2-variable", "AWS_SESSION_TOKEN": "hunter2-variable",
        "AWS_ACCESS_KEY_ID": "AK",
      ], config: Array(file.utf8), credentials: Array(file.utf8))
    Self.expectNoSecret(environment)
    Self.expectNoSecret(environment.configFile)
    let profile = try AWSProfile.chosen(given: nil, in: environment)
    Self.expectNoSecret(profile)
    Self.expectNoSecret(profile.setting("aws_secret_access_key"))
    Self.expectNoSecret(try CredentialsPlan.decide(environment, profile: profile))
    Self.expectNoSecret(
      CredentialProcess(
        command: Secret("printer --password hunter2"), source: "s", timeout: .seconds(60)))
    Self.expectNoSecret(CredentialsPlan.process(command: Secret("hunter2"), source: "s"))

    let configuration = try S3Configuration.resolve(
      url: "s3://bucket", settings: S3Settings(), environment: environment)
    Self.expectNoSecret(configuration)
    Self.expectNoSecret(configuration.origins)
    var cache = CredentialsCache()
    cache.renewed(ResolvedCredentials(signing, source: "s"), now: 0)
    Self.expectNoSecret(cache)
  }

  @Test func `no error quotes a secret, whatever is wrong around it`() async {
    let secrets = ["hunter2\nx", "hunter2 x", "hunter2"]
    for secret in secrets {
      let failures = [
        await CredentialsFixture(variables: [
          "AWS_ACCESS_KEY_ID": "A\u{1}", "AWS_SECRET_ACCESS_KEY": secret,
        ]).failure(),
        await CredentialsFixture(variables: ["AWS_SECRET_ACCESS_KEY": secret]).failure(),
        await CredentialsFixture(
          config: "[default]\ncredential_process = 'hunter2"
        ).failure(),
        await CredentialsFixture(
          config: "[default]\ncredential_process = /no/such --password hunter2"
        ).failure(),
        await CredentialsFixture(
          config: "[default]\ncredential_process = ls /no/such/hunter2",
          credentials: "[default]\naws_secret_access_key = /no/such/hunter2"
        ).failure(),
        await CredentialsFixture(variables: [
          "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://u:hunter2@127.0.0.1/"
        ]).failure(),
      ]
      for failure in failures {
        #expect(failure != nil)
        Self.expectNoSecret(failure)
      }
    }
  }
}
