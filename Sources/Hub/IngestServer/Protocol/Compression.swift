import CDeflate
import Gzip
import HTTPTypes
package import HealthStreams

/// Compresses pages and files with gzip if the browser accepts it (R59).
///
/// The length of a compressed answer shows anyone on the network how much of it repeats. An attacker who
/// can also choose a part of the answer can guess a secret in it, letter by letter (BREACH). So:
///
/// - Only routes that allow it are compressed: files, and pages in which a user can choose nothing but
///   an existing date, metric and span. Answers that contain text from others are never compressed: the
///   consent page, answers to phones and agents, and events.
/// - The only secret in a page, the key of its forms, looks different each time (`MaskedKey`).
/// - No other site can request a page with the cookie, which is `SameSite=Strict`.
struct AnswerPacking {
  let compression: any BatchCompression

  /// Shorter answers fit in one packet anyway.
  private static let leastBytes = 1024

  /// An answer with the bytes and the fields that a client gets.
  ///
  /// - Parameter accepted: the values of `Accept-Encoding`.
  func answer(_ answer: Answer, to accepted: [String]) -> Answer {
    guard answer.mayBePacked else { return answer }
    var answer = answer
    // Also if it is not compressed: another client of the same cache may accept gzip.
    answer.headers.append(HeaderField("Vary", "Accept-Encoding"))
    guard answer.body.count >= Self.leastBytes, Self.takesGzip(accepted),
      let packed = try? compression.gzip([answer.body[...]])
    else { return answer }
    answer.body = packed
    answer.headers.append(HeaderField("Content-Encoding", "gzip"))
    return answer
  }

  /// Whether a client accepts gzip (RFC 9110, 12.5.3). An entry for gzip counts before one for `*`. Pure.
  static func takesGzip(_ accepted: [String]) -> Bool {
    var any = false
    for choice in accepted.flatMap({ $0.lowercased().split(separator: ",") }).prefix(32) {
      let parts = choice.split(separator: ";").map { part in
        String(part.filter { $0 != " " && $0 != "\t" })
      }
      guard let name = parts.first else { continue }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
      let isTaken = quality.map { (Double($0) ?? 0) > 0 } ?? true
      if name == "gzip" || name == "x-gzip" { return isTaken }
      if name == "*" { any = isTaken }
    }
    return any
  }
}

/// Compresses with libdeflate: at the fastest level it takes a third of zlib's time, and its output is
/// a tenth smaller (docs/evidence/BENCHMARKS.md). Decompresses with zlib, because libdeflate needs a
/// buffer for the whole text in advance, and a small request could make that buffer very large.
package struct HubCompression: BatchCompression {
  package init() {}

  package func gzip(_ pieces: [ArraySlice<UInt8>]) throws(BatchCompressionError) -> [UInt8] {
    guard let compressor = libdeflate_alloc_compressor(1) else { throw .failed }
    defer { libdeflate_free_compressor(compressor) }
    // `joined()` would copy one byte at a time.
    let text = pieces.count == 1 ? pieces[0] : pieces.reduce(into: []) { $0 += $1 }
    let bound = libdeflate_gzip_compress_bound(compressor, text.count)
    // Not initialised, so that only pages that are written use memory.
    let packed = [UInt8](unsafeUninitializedCapacity: bound) { target, count in
      count = text.withUnsafeBufferPointer { source in
        libdeflate_gzip_compress(
          compressor, source.baseAddress, source.count, target.baseAddress, bound)
      }
    }
    guard !packed.isEmpty else { throw .failed }
    return packed
  }

  package func gunzip(_ bytes: [UInt8], limit: Int) throws(BatchCompressionError) -> [UInt8] {
    try ZlibCompression().gunzip(bytes, limit: limit)
  }
}
