import HTTPClient
import ObjectStore
import S3Store
import Secrets
import XMLTree

/// Parses the XML answers of STS.
enum STSAnswer {
  static func read(
    _ response: HTTPResponse, hiding secrets: [Secret], source: String, server: String
  ) throws(StoreError) -> ResolvedCredentials {
    let tree = try? XMLReader.read(response.body)
    guard response.status == 200 else {
      let error = tree?.first("Error") ?? tree
      let said = [error?.value("Code"), error?.value("Message")].compactMap(\.self)
        .joined(separator: ": ")
      let words = Redaction.words(said, hiding: secrets)
      throw StoreError(
        .unavailable,
        "\(server) refused the role of \(source): status \(response.status)"
          + (words.isEmpty ? "" : ", \(words)"),
        remedy: "check the role's name and who may take it")
    }
    // <AssumeRole...Response><AssumeRole...Result><Credentials>
    let credentials = tree?.children.lazy.compactMap { $0.first("Credentials") }.first
    guard let credentials, let id = credentials.value("AccessKeyId"),
      let secret = credentials.value("SecretAccessKey"),
      let token = credentials.value("SessionToken")
    else {
      throw StoreError(.unavailable, "\(server) gave no credentials for \(source)")
    }
    var expiresAt: Int?
    if let text = credentials.value("Expiration") {
      guard let seconds = CredentialsTime.seconds(text) else {
        throw StoreError(
          .unavailable, "\(server) gave an Expiration that is not a valid time")
      }
      expiresAt = seconds
    }
    return try StaticKeys.checked(id, secret, token, source: source, expiresAt: expiresAt)
  }
}
