import ContentDigests
import Foundation
import ObjectStore
import TestSupport
import Testing

@Suite(.process) struct ContentDigestTests {
  /// FIPS 180-4 examples: empty, one block, two blocks.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `the published examples have their published digests`(text: String, digest: String) {
    #expect(ETag(digestOf: Array(text.utf8)).rawValue == "\"\(digest)\"")
  }

  /// Every length around the block boundaries, in pieces of every size.
  @Test func `any bytes in any pieces have the digest that hashlib computes`() async throws {
    var bodies = (0..<300).map { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
    bodies += (0..<20).map { _ in
      (0..<Int.random(in: 300...9000)).map { _ in UInt8.random(in: 0...255) }
    }
    let lines = bodies.map { body in
      body.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }
    let output = try await PeerPython.run(
      "sha256_digests.py", input: Array(lines.map { $0 + "\n" }.joined().utf8))
    let digests = String(decoding: output, as: UTF8.self).split(separator: "\n")
    try #require(digests.count == bodies.count)
    for (body, digest) in zip(bodies, digests) {
      #expect(ETag(digestOf: body).rawValue == "\"\(digest)\"")
      var pieces = ContentDigest()
      var rest = body[...]
      while !rest.isEmpty {
        rest.prefix(Int.random(in: 0...130)).withUnsafeBytes { piece in
          pieces.update(piece)
          rest = rest.dropFirst(piece.count)
        }
      }
      #expect(ETag(pieces).rawValue == "\"\(digest)\"")
    }
  }
}
