/// Packs and unpacks batches as gzip (RFC 1952). A program brings its own library for it; this
/// module has no C in it.
public protocol BatchCompression: Sendable {
  /// The bytes of all pieces, in their order, as one gzip member.
  func gzip(_ pieces: [ArraySlice<UInt8>]) throws(BatchCompressionError) -> [UInt8]
  /// The bytes of one gzip member, at most `limit` of them.
  func gunzip(_ bytes: [UInt8], limit: Int) throws(BatchCompressionError) -> [UInt8]
}

/// Why bytes can't be packed or unpacked.
public enum BatchCompressionError: Error, Hashable, Sendable {
  /// Not gzip, cut off, or its checksum is wrong.
  case damaged
  /// More bytes than the limit.
  case tooLarge
  /// The library failed.
  case failed
}
