import CDeflate
import Gzip
package import HealthStreams

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
