import ObjectStore
import Testing

@testable import AWSCredentials
@testable import S3Store

@Suite(.unit) struct ConfigurationResolution {
  private static func resolve(
    _ url: String = "s3://bucket/prefix", variables: [String: String] = [:], config: String = "",
    credentials: String = "", _ change: (inout S3Settings) -> Void = { _ in }
  ) throws(StoreError) -> S3Configuration {
    var settings = S3Settings()
    change(&settings)
    return try S3Configuration.resolve(
      url: url, settings: settings,
      environment: AWSEnvironment(
        variables: variables, config: Array(config.utf8), credentials: Array(credentials.utf8),
        homeDirectory: "/home/someone"))
  }

  private static func refusal(
    _ url: String = "s3://bucket/prefix", variables: [String: String] = [:], config: String = "",
    _ change: (inout S3Settings) -> Void = { _ in }
  ) -> String {
    do throws(StoreError) {
      _ = try resolve(url, variables: variables, config: config, change)
      return ""
    } catch {
      return error.description
    }
  }

  @Test func `with nothing configured it is AWS in us-east-1, and doctor can say so`() throws {
    let made = try Self.resolve()
    #expect(made.endpoint == nil)
    #expect(made.effectiveEndpoint.description == "https://s3.us-east-1.amazonaws.com")
    #expect((made.bucket, made.prefix) == ("bucket", "prefix"))
    #expect(made.region == "us-east-1")
    #expect(!made.usesPathStyle)
    #expect(made.profile == nil)
    #expect(made.origins.allSatisfy { $0.origin == "default" })
    #expect(
      made.origins.map(\.setting)
        == ["region", "endpoint_url", "addressing_style", "ca_bundle", "timeout", "max_attempts"])
  }

  @Test func `each setting falls back from flag to variable to profile, and names its origin`()
    throws
  {
    let config = """
      [profile x]
      region = from-file
      endpoint_url = https://file.example
      ca_bundle = ~/ca.pem
      max_attempts = 7
      s3 =
        addressing_style = virtual
      """
    var variables = ["AWS_PROFILE": "x"]
    func origins(_ change: (inout S3Settings) -> Void = { _ in }) throws -> [String: String] {
      let made = try Self.resolve(variables: variables, config: config, change)
      return Dictionary(
        uniqueKeysWithValues: made.origins.map { ($0.setting, $0.value + " < " + $0.origin) })
    }
    let file = try origins()
    #expect(file["region"] == "from-file < ~/.aws/config [profile x]")
    #expect(file["endpoint_url"] == "https://file.example < ~/.aws/config [profile x]")
    #expect(file["ca_bundle"] == "/home/someone/ca.pem < ~/.aws/config [profile x]")
    #expect(file["max_attempts"] == "7 < ~/.aws/config [profile x]")
    #expect(file["addressing_style"] == "virtual < ~/.aws/config [profile x]")
    #expect(file["profile"] == "x < AWS_PROFILE")

    variables["AWS_DEFAULT_REGION"] = "from-default-variable"
    #expect(try origins()["region"] == "from-default-variable < AWS_DEFAULT_REGION")
    variables["AWS_REGION"] = "from-variable"
    variables["AWS_ENDPOINT_URL"] = "https://variable.example"
    variables["AWS_CA_BUNDLE"] = "/v.pem"
    variables["AWS_MAX_ATTEMPTS"] = "2"
    let variable = try origins()
    #expect(variable["region"] == "from-variable < AWS_REGION")
    #expect(variable["endpoint_url"] == "https://variable.example < AWS_ENDPOINT_URL")
    #expect(variable["ca_bundle"] == "/v.pem < AWS_CA_BUNDLE")
    #expect(variable["max_attempts"] == "2 < AWS_MAX_ATTEMPTS")
    variables["AWS_ENDPOINT_URL_S3"] = "https://s3.example"
    #expect(try origins()["endpoint_url"] == "https://s3.example < AWS_ENDPOINT_URL_S3")

    let flag = try origins {
      $0[.region] = Sourced("from-flag", by: "--region")
      $0[.endpointURL] = Sourced("https://flag.example:8443/base/", by: "[endpoint]")
      $0[.caBundle] = Sourced("f.pem", by: "--ca-bundle")
      $0[.maximumAttempts] = Sourced("9", by: "[attempts]")
      $0[.addressingStyle] = Sourced("path", by: "[style]")
      $0[.timeout] = Sourced("3", by: "--timeout")
      $0[.sse] = Sourced("aws:kms", by: "S3HEALTH_SSE")
      $0[.sseKeyID] = Sourced("alias/k", by: "[key]")
    }
    #expect(flag["region"] == "from-flag < --region")
    #expect(flag["endpoint_url"] == "https://flag.example:8443/base < [endpoint]")
    #expect(flag["ca_bundle"] == "f.pem < --ca-bundle")
    #expect(flag["max_attempts"] == "9 < [attempts]")
    #expect(flag["addressing_style"] == "path < [style]")
    #expect(flag["timeout"] == "3.0 seconds < --timeout")
    #expect(flag["sse"] == "aws:kms with key alias/k < S3HEALTH_SSE")
  }

  @Test
  func `the configuration file comes after AWS's variables, which name what they overrule`()
    throws
  {
    func origins(_ variables: [String: String]) throws -> [String: String] {
      let made = try Self.resolve(
        variables: variables, config: "[profile x]\nregion = of-x\n[profile y]\nregion = of-y\n"
      ) {
        $0.file = "s3health.conf"
        for (setting, value) in [
          (S3Setting.endpointURL, "https://file.example"), (.region, "from-file"), (.profile, "x"),
          (.caBundle, "/file.pem"),
        ] {
          $0[setting] = Sourced(value, by: "s3health.conf")
        }
      }
      return Dictionary(
        uniqueKeysWithValues: made.origins.map { ($0.setting, $0.value + " < " + $0.origin) })
    }
    let file = try origins([:])
    #expect(file["endpoint_url"] == "https://file.example < s3health.conf")
    #expect(file["region"] == "from-file < s3health.conf")
    #expect(file["profile"] == "x < s3health.conf")
    #expect(file["ca_bundle"] == "/file.pem < s3health.conf")

    var variables = [
      "AWS_ENDPOINT_URL": "https://variable.example", "AWS_REGION": "from-variable",
      "AWS_PROFILE": "y", "AWS_CA_BUNDLE": "/v.pem",
    ]
    let overruled = try origins(variables)
    #expect(
      overruled["endpoint_url"]
        == "https://variable.example < AWS_ENDPOINT_URL, before https://file.example of s3health.conf"
    )
    #expect(
      overruled["region"] == "from-variable < AWS_REGION, before from-file of s3health.conf")
    #expect(overruled["profile"] == "y < AWS_PROFILE, before x of s3health.conf")
    #expect(overruled["ca_bundle"] == "/v.pem < AWS_CA_BUNDLE, before /file.pem of s3health.conf")
    // Told that its endpoints do not count, a variable overrules nothing.
    variables["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "true"
    #expect(try origins(variables)["endpoint_url"] == "https://file.example < s3health.conf")
  }

  @Test func `keys in variables go before a profile that a variable names, overruling or not`()
    throws
  {
    let environment = try AWSEnvironment(
      variables: [
        "AWS_ACCESS_KEY_ID": "AKIDVARIABLE", "AWS_SECRET_ACCESS_KEY": "s", "AWS_PROFILE": "other",
      ],
      credentials: Array("[other]\naws_access_key_id = AKIDOTHER\n".utf8))
    for file in [nil, Sourced("mine", by: "s3health.conf")] {
      let profile = try AWSProfile.chosen(given: nil, file: file, in: environment)
      #expect(profile.name == "other" && !profile.goesBeforeVariables, "\(profile.origin)")
    }
    #expect(
      try AWSProfile.chosen(given: Sourced("other", by: "the profile given"), in: environment)
        .goesBeforeVariables)
  }

  @Test
  func
    `a profile of the program's own file is reported as such, and goes before keys in variables`()
    throws
  {
    let environment = try AWSEnvironment(
      variables: ["AWS_ACCESS_KEY_ID": "AKIDVARIABLE", "AWS_SECRET_ACCESS_KEY": "s"],
      credentials: Array("[mine]\naws_access_key_id = AKIDFILE\naws_secret_access_key = s\n".utf8))
    var settings = S3Settings()
    settings.file = "s3health.conf"
    settings[.profile] = Sourced("mine", by: "s3health.conf")
    let made = try S3Configuration.resolve(
      url: "s3://bucket", settings: settings, environment: environment)
    #expect(made.origins.first { $0.setting == "profile" }?.origin == "s3health.conf")
    let profile = try #require(AWSProfile("mine", origin: "s3health.conf", in: environment))
    guard case .keys(let keys) = try CredentialsPlan.decide(environment, profile: profile) else {
      Issue.record("no keys")
      return
    }
    #expect(keys.signing.accessKeyID == "AKIDFILE")

    settings[.profile] = Sourced("gone", by: "s3health.conf")
    #expect {
      try S3Configuration.resolve(url: "s3://bucket", settings: settings, environment: environment)
    } throws: { ($0 as? StoreError)?.message.contains("which s3health.conf names") == true }
  }

  @Test func `configured endpoints can be switched off, but not the flag's`() throws {
    let variables = [
      "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true", "AWS_ENDPOINT_URL_S3": "https://s3.example",
    ]
    #expect(try Self.resolve(variables: variables).endpoint == nil)
    let flagged = try Self.resolve(variables: variables) {
      $0[.endpointURL] = Sourced("https://flag.example", by: "the test")
    }
    #expect(flagged.endpoint?.host == "flag.example")
  }

  @Test(arguments: [
    ("https://s3.example", "bucket", true), ("", "bucket", false), ("", "my.bucket", true),
    ("", "My_Bucket", true), ("https://10.0.0.1", "bucket", true),
  ])
  func `auto addressing is by path wherever a host name could fail`(
    endpoint: String, bucket: String, isPath: Bool
  ) throws {
    let made = try Self.resolve("s3://\(bucket)") {
      if !endpoint.isEmpty { $0[.endpointURL] = Sourced(endpoint, by: "the test") }
    }
    #expect(made.usesPathStyle == isPath)
  }

  @Test func `virtual addressing of what can't be joined is refused`() {
    for (url, endpoint) in [
      ("s3://bucket", "https://10.0.0.1"), ("s3://bucket", "https://[::1]:9000"),
      ("s3://My_Bucket", "https://s3.example"),
    ] {
      let text = Self.refusal(url) {
        $0[.endpointURL] = Sourced(endpoint, by: "the test")
        $0[.addressingStyle] = Sourced("virtual", by: "the test")
      }
      #expect(text.contains("use path addressing"))
    }
  }

  @Test(arguments: [
    ("http://127.0.0.1:9000", true), ("http://127.8.9.1", true), ("http://localhost:1", true),
    ("http://minio.localhost", true), ("http://[::1]:9000", true), ("HTTP://LOCALHOST", true),
    ("http://10.0.0.1", false), ("http://localhost.example.com", false),
    ("http://127.0.0.1.nip.io", false), ("http://0177.0.0.1", false), ("http://127.1", false),
    ("http://[::2]", false), ("http://minio:9000", false),
  ])
  func `plain http stays on this machine unless allowed`(endpoint: String, isTaken: Bool) throws {
    let text = Self.refusal { $0[.endpointURL] = Sourced(endpoint, by: "the test") }
    #expect(text.isEmpty == isTaken)
    #expect(isTaken || text.contains("allow plain http"))
    let allowed = try Self.resolve {
      $0[.endpointURL] = Sourced(endpoint, by: "the test")
      $0[.allowPlaintext] = Sourced("true", by: "the test")
    }
    #expect(allowed.endpoint?.scheme == .http)
    #expect(allowed.origins.contains { $0.setting == "allow_plaintext" })
  }

  @Test(arguments: [
    ("localhost:9000", "no scheme"), ("ftp://x", "no scheme"), ("//x", "no scheme"),
    ("https://", "no valid host"), ("https://a b", "no valid host"),
    ("https://x:0", "no valid host"), ("https://x:65536", "no valid host"),
    ("https://x:", "no valid host"), ("https://x:y", "no valid host"),
    ("https://[::1", "no valid host"), ("https://-x", "no valid host"),
    ("https://a..b", "no valid host"), ("https://x\r\nHost:y", "no valid host"),
    ("https://x/?a=1", "query"), ("https://x#f", "query"), ("https://x/a b", "the path"),
    ("https://x/../y", "the path"), ("https://x/a//b", "the path"), ("https://x/%2F", "the path"),
    ("https://key:hunter2hunter2@x", "user or password"),
  ])
  func `an endpoint that can't be used is refused with its origin`(url: String, why: String) {
    let text = Self.refusal(variables: ["AWS_ENDPOINT_URL": url])
    #expect(text.contains(why), "\(text)")
    #expect(text.contains("AWS_ENDPOINT_URL"))
    #expect(!text.contains("hunter2"))
  }

  @Test(arguments: [
    "s3://", "s3:///x", "s3://ab", "s3://-bucket", "s3://bucket-", "s3://buc ket", "s3://a..bc",
    "s3://192.168.1.1", "s3://bücket", "s3://bucket?x", "s3://bucket/p?region=x", "s3://bucket/a#b",
    "s3://AKID:hunter2@bucket", "s3://bucket//x", "s3://bucket/a//b", "s3://bucket/../x",
    "s3://bucket/a/.", "s3://bucket/x\ny", "http://bucket", "bucket", "s3://bucket:9000/x",
    "s3://bucket/?\u{301}", "s3://AKID:hunter2@\u{301}bucket",
  ])
  func `a store's URL that can't be meant is refused`(url: String) {
    let text = Self.refusal(url)
    #expect(!text.isEmpty)
    #expect(!text.contains("hunter2"))
  }

  @Test(arguments: [
    ("s3://bucket", ""), ("s3://bucket/", ""), ("s3://bucket/a", "a"), ("S3://bucket/a/b/", "a/b"),
    ("s3://bucket/ä b+c~", "ä b+c~"), ("s3://bucket/\u{301}a/", "\u{301}a"),
    ("s3://bucket/a/\u{301}", "a/\u{301}"),
  ])
  func `a prefix has no slash at its ends`(url: String, prefix: String) throws {
    #expect(try Self.resolve(url).prefix == prefix)
  }

  @Test func `settings that ask for another endpoint of AWS are refused, never ignored`() {
    let fips = Self.refusal(variables: ["AWS_USE_FIPS_ENDPOINT": "true"])
    #expect(fips.contains("AWS_USE_FIPS_ENDPOINT"))
    #expect(fips.contains("https://s3-fips.us-east-1.amazonaws.com"))
    let dual = Self.refusal(config: "[default]\nuse_dualstack_endpoint = true")
    #expect(dual.contains("https://s3.dualstack.us-east-1.amazonaws.com"))
    let both = Self.refusal(
      variables: ["AWS_USE_FIPS_ENDPOINT": "true", "AWS_USE_DUALSTACK_ENDPOINT": "TRUE"])
    #expect(both.contains("https://s3-fips.dualstack.us-east-1.amazonaws.com"))
    let fast = Self.refusal(config: "[default]\ns3 =\n  use_accelerate_endpoint = true")
    #expect(fast.contains("use_accelerate_endpoint"))
    #expect(Self.refusal(variables: ["AWS_USE_FIPS_ENDPOINT": "false"]).isEmpty)
    let chosen = Self.refusal(
      variables: ["AWS_USE_FIPS_ENDPOINT": "true", "AWS_ENDPOINT_URL": "https://s3-fips.example"])
    #expect(chosen.isEmpty, "the endpoint is named")
  }

  @Test func `settings out of range are refused by name`() {
    #expect(Self.refusal(variables: ["AWS_REGION": "x y"]).contains("AWS_REGION"))
    #expect(Self.refusal(variables: ["AWS_REGION": "a.evil.example/"]).contains("AWS_REGION"))
    #expect(Self.refusal(variables: ["AWS_MAX_ATTEMPTS": "0"]).contains("AWS_MAX_ATTEMPTS"))
    #expect(Self.refusal(variables: ["AWS_PROFILE": "none"]).contains("profile \"none\", which"))
    #expect(
      Self.refusal { $0[.timeout] = Sourced("0", by: "--timeout") }.contains("of --timeout is not"))
    let encryption = Self.refusal {
      $0[.sseKeyID] = Sourced("a\nb", by: "[key]")
    }
    #expect(encryption.contains("the KMS key id of [key] is not"))
    #expect(
      Self.refusal(config: "[default]\ns3 =\n  addressing_style = sideways")
        .contains("~/.aws/config [default]"))
    #expect(
      Self.refusal(config: "[default]\nservices = gone").contains("[services gone]"))
  }
}
