#if canImport(CryptoKit)
  import CryptoKit
#endif

/// SHA-256 of bytes: in revisions (R60), in ids of batches, and in the etags of folder and memory
/// stores.
///
/// It is implemented here because a phone's collector may not need a C library. On Apple's systems
/// it uses CryptoKit. Equal digests mean equal bytes, even against an adversary.
package struct ContentDigest {
  #if canImport(CryptoKit)
    private var function = SHA256()

    package init() {}

    /// Adds the next bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      function.update(bufferPointer: bytes)
    }

    /// The 32 bytes of the digest.
    package consuming func finish() -> [UInt8] { Array(function.finalize()) }
  #else
    private var state = SHA256State()
    /// Bytes that do not fill a block yet; always fewer than 64.
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    package init() {}

    /// Adds the next bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      length &+= UInt64(bytes.count)
      var rest = bytes[...]
      if !pending.isEmpty {
        let taken = rest.prefix(64 - pending.count)
        pending += taken
        rest = rest.dropFirst(taken.count)
        guard pending.count == 64 else { return }
        pending.withUnsafeBytes { state.absorb(blocks: $0) }
        pending.removeAll(keepingCapacity: true)
      }
      let whole = rest.count & ~63
      state.absorb(blocks: UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
      pending += rest.dropFirst(whole)
    }

    /// The 32 bytes of the digest.
    package consuming func finish() -> [UInt8] {
      pending.append(0x80)
      let target = pending.count <= 56 ? 56 : 120
      pending += repeatElement(0, count: target - pending.count)
      withUnsafeBytes(of: (length &* 8).bigEndian) { pending += $0 }
      pending.withUnsafeBytes { state.absorb(blocks: $0) }
      return state.bytes
    }
  #endif

  /// Adds the next bytes.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// The digest of `bytes` as 64 lower-case hex digits.
  package static func hex(of bytes: [UInt8]) -> String {
    var digest = ContentDigest()
    digest.update(bytes)
    return digest.hex()
  }

  /// Ends the digest: 64 lower-case hex digits.
  package consuming func hex() -> String { Hex.string(finish()) }
}
