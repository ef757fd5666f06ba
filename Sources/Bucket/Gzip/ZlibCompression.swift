import CZlib
package import HealthStreams

/// Packs and unpacks batches with zlib.
package struct ZlibCompression: BatchCompression {
  package init() {}

  package func gzip(_ pieces: [ArraySlice<UInt8>]) throws(BatchCompressionError) -> [UInt8] {
    var stream = z_stream()
    guard s3h_gzip_begin(&stream) == Z_OK else { throw .failed }
    defer { deflateEnd(&stream) }
    // Uninitialised, so that only the pages that are written to take memory.
    let bound = Int(deflateBound(&stream, uLong(pieces.reduce(0) { $0 + $1.count })))
    var status = Z_OK
    let packed = [UInt8](unsafeUninitializedCapacity: bound) { target, count in
      stream.next_out = target.baseAddress
      stream.avail_out = uInt(bound)
      for piece in pieces {
        piece.withUnsafeBufferPointer { source in
          // zlib takes its input as mutable and does not change it.
          stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
          stream.avail_in = uInt(source.count)
          status = deflate(&stream, Z_NO_FLUSH)
        }
        guard status == Z_OK || status == Z_BUF_ERROR else { break }
      }
      if status == Z_OK || status == Z_BUF_ERROR { status = deflate(&stream, Z_FINISH) }
      count = bound - Int(stream.avail_out)
    }
    guard status == Z_STREAM_END else { throw .failed }
    return packed
  }

  package func gunzip(
    _ bytes: [UInt8], limit: Int
  ) throws(BatchCompressionError) -> [UInt8] {
    var stream = z_stream()
    guard s3h_gunzip_begin(&stream) == Z_OK else { throw .failed }
    defer { inflateEnd(&stream) }
    var unpacked: [UInt8] = []
    let result: Result<Void, BatchCompressionError> = bytes.withUnsafeBufferPointer { source in
      stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
      stream.avail_in = uInt(source.count)
      while true {
        let before = unpacked.count
        // One byte beyond the limit distinguishes a text of just the limit from a longer one.
        let room = min(max(65_536, before), limit + 1 - before)
        guard room > 0 else { return .failure(.tooLarge) }
        unpacked += [UInt8](repeating: 0, count: room)
        let status = unpacked.withUnsafeMutableBufferPointer { target in
          stream.next_out = target.baseAddress.map { $0 + before }
          stream.avail_out = uInt(room)
          return inflate(&stream, Z_NO_FLUSH)
        }
        unpacked.removeLast(Int(stream.avail_out))
        switch status {
        case Z_STREAM_END:
          guard stream.avail_in == 0 else { return .failure(.damaged) }
          return unpacked.count <= limit ? .success(()) : .failure(.tooLarge)
        case Z_OK where unpacked.count > before: continue
        case Z_MEM_ERROR: return .failure(.failed)
        default: return .failure(.damaged)
        }
      }
    }
    try result.get()
    return unpacked
  }
}
