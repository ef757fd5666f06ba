import ObjectStore
import Testing

@Suite struct ContentDigestTests {
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
    #expect(ContentDigest.etag(of: Array(text.utf8)).rawValue == "\"\(digest)\"")
  }
}
