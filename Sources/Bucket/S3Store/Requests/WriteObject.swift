import Digests
import Foundation
import HTTPClient
import ObjectStore

/// How a server expects the etag in `If-Match`.
package enum ETagSpelling: String, Hashable, Sendable, Codable {
  /// Unchanged, as the server gave it.
  case quoted
  /// Without its quotes: RADOS gateway compares without removing them.
  case bare

  /// The value of `If-Match`.
  func header(for etag: ETag) -> String {
    let raw = etag.rawValue
    guard self == .bare, raw.utf8.count >= 2, raw.hasPrefix("\""), raw.hasSuffix("\"") else {
      return raw
    }
    return String(raw.dropFirst().dropLast())
  }
}

extension S3Request {
  /// For browsers and consoles. Batches are not said to be encoded JSON: whatever decodes on the way
  /// would change their bytes.
  private static func contentType(_ key: String) -> String {
    key.hasSuffix(".gz")
      ? "application/gzip"
      : key.hasSuffix(".json") ? "application/json" : "application/octet-stream"
  }

  /// One `PUT`, sent once.
  ///
  /// - Parameter condition: nil only for a store that takes no condition (R28).
  /// - Parameter checksum: whether the store is to keep the SHA-256 beside the object.
  static func write(
    _ key: String, _ body: [UInt8], condition: (name: String, value: String)?,
    encryption: S3Configuration.ServerSideEncryption, checksum: Bool = false, gate: SendGate? = nil
  ) -> S3Request {
    var request = S3Request(method: .put, key: key, body: body, kind: .once, verb: "writing")
    request.headers = [("content-type", contentType(key))]
    if let condition { request.headers.append(condition) }
    request.headers += encryption.headers
    if checksum { request.headers.append((Self.checksum, Self.checksum(of: body))) }
    request.gate = gate
    return request
  }
}

extension S3Request {
  /// The header with the SHA-256 that a store keeps, and answers with where it is asked to.
  static let checksum = "x-amz-checksum-sha256"

  static func checksum(of body: [UInt8]) -> String {
    Data(SHA256.digest(body)).base64EncodedString()
  }
}

extension S3Answer {
  /// True if the store certainly refused a request because it does not understand it.
  var isMisunderstood: Bool {
    if case .refused(let failure) = result {
      failure.isNotImplemented || Self.misunderstandings.contains(failure.code ?? "")
    } else {
      false
    }
  }

  private static let misunderstandings: Set = ["InvalidArgument", "InvalidRequest"]

  /// True if the store certainly applied nothing, because it does not take such a request at all, such
  /// as one with a condition. Servers say so in several ways.
  var isNotTaken: Bool {
    guard case .refused(let failure) = result, !failure.lacksEncryption else { return false }
    if isMisunderstood { return true }
    guard [400, 405, 422].contains(failure.status), !failure.wantsTLS else { return false }
    return failure.code.map(Self.refusals.contains) ?? failure.isFromS3
  }

  private static let refusals: Set = [
    "BadRequest", "InvalidHeader", "MethodNotAllowed", "NotSupported", "OperationNotSupported",
    "UnsupportedHeader", "UnsupportedOperation",
  ]

  /// The outcome of a conditional write.
  ///
  /// - Throws: only if the write was certainly not applied.
  var putOutcome: PutOutcome {
    get throws(StoreError) {
      switch result {
      case .success(let response):
        guard let etag = response.header("etag"), !etag.isEmpty else {
          return .unknown(context.foreignAnswer(response))
        }
        return .stored(ETag(etag))
      case .refused(let failure):
        // 404 is the answer to If-Match if the object is missing. For a create it is a fault of the
        // server, and reading again is right as well.
        if failure.isConflict || failure.isMissingKey { return .preconditionFailed }
        let error = context.error(failure)
        if failure.leavesWriteUncertain { return .unknown(error) }
        throw error
      case .broken(let failure):
        let error = context.error(failure)
        if failure.mayHaveBeenApplied { return .unknown(error) }
        throw error
      }
    }
  }
}

extension S3Answer {
  /// True if the write created a version.
  var isVersioned: Bool {
    if case .success(let response) = result {
      response.header("x-amz-version-id") != nil
    } else {
      false
    }
  }
}

extension S3Failure {
  /// True if the write may have been applied, or may still be. On RADOS gateway every PUT that
  /// timed out was applied later, and the loser of a race can also get a 500.
  var leavesWriteUncertain: Bool {
    if isNotImplemented || status == 507 { return false }
    return (200..<300).contains(status) || status >= 500 || status == 408 || status == 499
      || code == "RequestTimeout"
  }
}

extension S3Configuration.ServerSideEncryption {
  /// The headers that request it for a write.
  var headers: [(name: String, value: String)] {
    switch self {
    case .none: []
    case .aes256: [("x-amz-server-side-encryption", "AES256")]
    case .kms(nil): [("x-amz-server-side-encryption", "aws:kms")]
    case .kms(let keyID?):
      [
        ("x-amz-server-side-encryption", "aws:kms"),
        ("x-amz-server-side-encryption-aws-kms-key-id", keyID),
      ]
    }
  }
}
