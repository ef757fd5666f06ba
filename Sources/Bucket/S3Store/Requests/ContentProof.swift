import Digests
import Foundation
import Synchronization

/// What proves to a server that a body arrived as it was sent, beside the signature. It is sent where a
/// server asks for it, as S3 does for a bucket whose Object Lock has a default retention (R28).
enum ContentProof: Hashable, Sendable, CaseIterable {
  /// `Content-MD5`, which every S3 server knows.
  case md5
  /// `x-amz-checksum-sha256`.
  case sha256

  var headerName: String {
    switch self {
    case .md5: "content-md5"
    case .sha256: S3Request.checksum
    }
  }

  /// Nil where the system offers no MD5.
  func value(for body: [UInt8]) -> String? {
    switch self {
    case .md5: MD5.digest(body).map { Data($0).base64EncodedString() }
    case .sha256: S3Request.checksum(of: body)
    }
  }
}

/// The proofs that a server has asked for. All clients of one store share them, so that each is asked
/// for once.
final class DemandedProofs: Sendable {
  private let state = Mutex<Set<ContentProof>>([])

  var all: Set<ContentProof> { state.withLock { $0 } }
  func add(_ proof: ContentProof) { state.withLock { _ = $0.insert(proof) } }
}

extension S3Request {
  /// The proofs that it has.
  var proofs: Set<ContentProof> {
    Set(ContentProof.allCases.filter { proof in headers.contains { $0.name == proof.headerName } })
  }

  /// The same request with these proofs, if it is a write.
  func proving(_ demanded: Set<ContentProof>) -> S3Request {
    guard kind == .once, !demanded.isEmpty else { return self }
    var request = self
    for proof in ContentProof.allCases where demanded.contains(proof) && !proofs.contains(proof) {
      guard let value = proof.value(for: body) else { continue }
      request.headers.append((proof.headerName, value))
    }
    return request
  }
}

extension S3Failure {
  /// The proofs that the server names when it refuses a write, in the order in which they are tried.
  /// Servers have no common code for it, but all name the header.
  var namedProofs: [ContentProof] {
    guard (400..<500).contains(status), ![401, 403, 404].contains(status) else { return [] }
    let text = [code, message].compactMap { $0 }.joined(separator: " ").lowercased()
      .filter { $0.isLetter || $0.isNumber }
    func names(_ word: String) -> Bool { text.firstRange(of: word) != nil }
    return ContentProof.allCases.filter { proof in
      switch proof {
      case .md5: names("contentmd5")
      case .sha256:
        names("amzchecksum") || names("checksum") && (names("required") || names("missing"))
      }
    }
  }
}
