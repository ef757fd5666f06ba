import CDeflate
import Gzip
package import HealthStreams

/// Packs with libdeflate, which takes a third of zlib's time at its fastest level and makes a tenth fewer
/// bytes (docs/evidence/BENCHMARKS.md). Unpacks with zlib, because libdeflate needs room for the whole
/// text beforehand, and a client could make that room large with a small body.
package struct HubCompression: BatchCompression {
  package init() {}

  package func gzip(_ pieces: [ArraySlice<UInt8>]) throws(BatchCompressionError) -> [UInt8] {
    guard let compressor = libdeflate_alloc_compressor(1) else { throw .failed }
    defer { libdeflate_free_compressor(compressor) }
    // `joined` would go byte by byte.
    let text = pieces.count == 1 ? pieces[0] : pieces.reduce(into: []) { $0 += $1 }
    let bound = libdeflate_gzip_compress_bound(compressor, text.count)
    // Uninitialised, so that only the pages that are written to take memory.
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
