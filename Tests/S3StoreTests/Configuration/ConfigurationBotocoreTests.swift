import Foundation
import HTTPTransport
import TestSupport
import Testing

@testable import S3Store

@Suite struct SettingsAgreement {
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

  @Test func `botocore resolves 150 pairs of files as we do`() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var source = SettingsCases(seed: seed)
    let cases = (0..<150).map { _ in source.next() }
    let encoder = JSONEncoder()
    let lines = try cases.map { try encoder.encode($0) }.joined(separator: [10])
    let output = try await PeerPython.run("botocore_settings.py", input: Array(lines))
    let answers = try output.split(separator: 10).map {
      try JSONDecoder().decode(Answer.self, from: Data($0))
    }
    try #require(answers.count == cases.count)
    let transport = HTTPTransport()
    var resolved = 0
    for (settings, answer) in zip(cases, answers) {
      let difference = await Self.difference(settings, answer, transport)
      if let difference { Issue.record("seed \(seed): \(difference)\n\(settings)\n\(answer)") }
      if answer.error == nil { resolved += 1 }
    }
    // Else the two agree on nothing but refusals.
    #expect(resolved > 30)
    transport.shutdown()
  }

  /// Nil where both agree.
  private static func difference(
    _ settings: SettingsCases.Case, _ answer: Answer, _ transport: HTTPTransport
  ) async -> String? {
    var variables = settings.variables
    variables["AWS_EC2_METADATA_DISABLED"] = "true"
    variables["PATH"] = "/usr/bin:/bin"
    let configuration: S3Configuration
    var keys: ResolvedCredentials?
    do {
      let environment = try AWSEnvironment(
        variables: variables, config: Array(settings.config.utf8),
        credentials: Array(settings.credentials.utf8))
      configuration = try S3Configuration.resolve(
        url: "s3://bucket", flags: S3Flags(), environment: environment)
      do {
        keys = try await DefaultCredentials(
          environment: environment, configuration: configuration, transport: transport
        ).credentials()
      } catch {
        guard error.code == .notFound else { throw error }
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
