import Foundation
import TestSupport
import Testing

@testable import AWSCredentials
@testable import S3Store

@Suite(.process) struct SettingsAgreement {
  /// What botocore made of a case.
  struct Answer: Decodable {
    var error: String?
    var region: String?
    var endpoint: String?
    var addressingStyle: String?
    var accessKey: String?
    var secretKey: String?
    var token: String?
  }

  @Test func `botocore resolves pairs of files as we do`() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var source = SettingsCases(seed: seed)
    let cases = (0..<TestDepth.full(150, usual: 60)).map { _ in source.next() }
    let encoder = JSONEncoder()
    let lines = try cases.map { try encoder.encode($0) }.joined(separator: [10])
    let output = try await PeerPython.run("botocore_settings.py", input: Array(lines))
    let answers = try output.split(separator: 10).map {
      try JSONDecoder().decode(Answer.self, from: Data($0))
    }
    try #require(answers.count == cases.count)
    var resolved = 0
    for (settings, answer) in zip(cases, answers) {
      let difference = await Self.difference(settings, answer)
      if let difference { Issue.record("seed \(seed): \(difference)\n\(settings)\n\(answer)") }
      if answer.error == nil { resolved += 1 }
    }
    // Else the two agree on nothing but refusals.
    #expect(resolved > cases.count / 5)
  }

  @Test func `the configuration file ranks with variables as botocore ranks its own file`()
    async throws
  {
    let variables = [
      "AWS_ENDPOINT_URL": "https://all.example", "AWS_ENDPOINT_URL_S3": "https://s3.example",
      // AWS_REGION is aws-cli's own: botocore does not read it.
      "AWS_DEFAULT_REGION": "region-2",
    ]
    let names = variables.keys.sorted()
    let chosen = (0..<8).map { bits in
      variables.filter { name, _ in
        names.firstIndex(of: name).map { bits & (1 << $0) != 0 } ?? false
      }
    }
    let lines = try chosen.map { variables in
      try JSONSerialization.data(withJSONObject: [
        "config": "[default]\nendpoint_url = https://file.example\nregion = region-3\n",
        "credentials": "", "variables": variables,
      ])
    }
    let output = try await PeerPython.run(
      "botocore_settings.py", input: Array(lines.joined(separator: [10])))
    let answers = try output.split(separator: 10).map {
      try JSONDecoder().decode(Answer.self, from: Data($0))
    }
    try #require(answers.count == chosen.count)
    for (variables, answer) in zip(chosen, answers) {
      var settings = S3Settings()
      settings.file = "s3health.conf"
      settings[.endpointURL] = Sourced("https://file.example", by: "s3health.conf")
      settings[.region] = Sourced("region-3", by: "s3health.conf")
      let made = try S3Configuration.resolve(
        url: "s3://bucket", settings: settings, environment: AWSEnvironment(variables: variables))
      #expect(answer.error == nil)
      #expect(made.endpoint?.description == answer.endpoint, "\(variables)")
      #expect(made.region == answer.region, "\(variables)")
    }
  }

  /// Nil where both agree.
  private static func difference(
    _ settings: SettingsCases.Case, _ answer: Answer
  ) async -> String? {
    var variables = settings.variables
    variables["PATH"] = "/usr/bin:/bin"
    let configuration: S3Configuration
    var keys: ResolvedCredentials?
    do {
      let environment = try AWSEnvironment(
        variables: variables, config: Array(settings.config.utf8),
        credentials: Array(settings.credentials.utf8))
      configuration = try S3Configuration.resolve(
        url: "s3://bucket", settings: S3Settings(), environment: environment)
      do {
        keys = try await DefaultCredentials(
          environment: environment, configuration: configuration
        ).credentials()
      } catch {
        guard error.code == .notAuthorized else { throw error }
      }
    } catch {
      return answer.error == nil ? "we refuse: \(error)" : nil
    }
    if let error = answer.error {
      return "botocore refuses: \(error)"
    }
    if configuration.region != answer.region ?? S3Configuration.defaultRegion {
      return "region \(configuration.region)"
    }
    if configuration.endpoint?.description != answer.endpoint {
      return "endpoint \(String(describing: configuration.endpoint))"
    }
    // Where nothing is said botocore chooses by itself, and says which.
    if configuration.addressingStyle != .auto,
      configuration.addressingStyle.rawValue != answer.addressingStyle
    {
      return "addressing \(configuration.addressingStyle)"
    }
    let signing = keys?.signing
    if signing?.accessKeyID != answer.accessKey
      || signing?.secretAccessKey.revealed != answer.secretKey
      || signing?.sessionToken?.revealed != answer.token
    {
      return "keys \(String(describing: keys))"
    }
    return nil
  }
}
