import Digests
import Foundation
import SigV4
import Testing

/// One case of AWS's own signing suite: a request, a context, and what must come of them.
struct SuiteCase: CustomTestStringConvertible, Sendable {
  let name: String
  let folder: URL
  let context: Context
  let request: SigningRequest

  var testDescription: String { name }

  struct Context: Decodable {
    struct Credentials: Decodable {
      let accessKeyId: String
      let secretAccessKey: String
      let token: String?
    }
    let credentials: Credentials
    let expirationInSeconds: Int
    let normalize: Bool
    let region: String
    let service: String
    let signBody: Bool
    let timestamp: Date
    let omitSessionToken: Bool?
  }

  var credentials: SigningCredentials {
    SigningCredentials(
      accessKeyID: context.credentials.accessKeyId,
      secretAccessKey: context.credentials.secretAccessKey,
      sessionToken: context.credentials.token)
  }

  var signer: SigV4Signer {
    SigV4Signer(
      region: context.region, service: context.service,
      pathStyle: .generic(normalizes: context.normalize),
      signsPayloadHashHeader: context.signBody,
      signsSessionToken: !(context.omitSessionToken ?? false))
  }

  var seconds: Int { Int(context.timestamp.timeIntervalSince1970) }

  func expected(_ file: String) throws -> String {
    try String(contentsOf: folder.appending(path: "\(file).txt"), encoding: .utf8)
      .trimmingCharacters(in: .newlines)
  }

  /// Every case of the suite, in order of name.
  static let all: [SuiteCase] = {
    let root = Bundle.module.resourceURL?.appending(path: "Fixtures/sigv4-suite")
    guard let root, let names = try? FileManager.default.contentsOfDirectory(atPath: root.path)
    else { return [] }
    return names.sorted().compactMap { try? SuiteCase(root.appending(path: $0)) }
  }()

  init(_ folder: URL) throws {
    name = folder.lastPathComponent
    self.folder = folder
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    context = try decoder.decode(
      Context.self, from: Data(contentsOf: folder.appending(path: "context.json")))
    request = try Self.parse(
      String(contentsOf: folder.appending(path: "request.txt"), encoding: .utf8),
      hashesBody: context.signBody)
  }

  /// `METHOD TARGET HTTP/1.1`, header lines, an empty line, the body.
  private static func parse(_ text: String, hashesBody: Bool) throws -> SigningRequest {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let first = lines[0].dropLast(" HTTP/1.1".count)
    let space = first.firstIndex(of: " ") ?? first.startIndex
    let target = first[first.index(after: space)...].split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = (target.count > 1 ? target[1] : "").split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(sides[0]), value: sides.count > 1 ? String(sides[1]) : nil)
    }
    let headers = lines.dropFirst().prefix { !$0.isEmpty }.map { line in
      let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(sides[0]), value: String(sides[1]))
    }
    let body = lines.dropFirst(headers.count + 2).joined(separator: "\n")
    return SigningRequest(
      method: String(first[..<space]), path: String(target[0]), query: query, headers: headers,
      payloadHash: SHA256.hex(hashesBody ? Array(body.utf8) : []))
  }
}
