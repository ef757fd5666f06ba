import ContentDigests
import Digests
import TestSupport
import Testing

@Suite(.unit) struct DigestTests {
  @Test func `SHA-256 gives FIPS 180-4's examples`() {
    #expect(SHA256.hex([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      SHA256.hex(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      SHA256.hex(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(
      SHA256.hex([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    #expect(SHA256.digest(Array("abc".utf8)).count == 32)
  }

  @Test func `MD5 gives RFC 1321's examples`() {
    #expect(MD5.hex([]) == "d41d8cd98f00b204e9800998ecf8427e")
    #expect(MD5.hex(Array("message digest".utf8)) == "f96b697d7cb7938d525a2f31aaf161d0")
  }

  @Test(arguments: [
    // RFC 4231, test cases 1 to 4, 6 and 7.
    (
      [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      [UInt8](1...25), [UInt8](repeating: 0xCD, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      Array(
        """
        This is a test using a larger than block-size key and a larger than block-size data. \
        The key needs to be hashed before being used by the HMAC algorithm.
        """.utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
    ),
  ])
  func `HMAC gives RFC 4231's examples`(key: [UInt8], message: [UInt8], code: String) {
    #expect(Hex.string(HMAC.sha256(key: key, message)) == code)
  }

  @Test func `HMAC takes an empty key, also after another one`() {
    _ = HMAC.sha256(key: [1, 2, 3], [4])
    #expect(
      Hex.string(HMAC.sha256(key: [], []))
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  @Test func `digests made at the same time do not mix`() async {
    let messages = (0..<64).map { [UInt8](repeating: UInt8($0), count: $0 * 97) }
    let alone = messages.map { (SHA256.digest($0), HMAC.sha256(key: $0, $0)) }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          (0..<2000).allSatisfy { i in
            let (message, expected) = (messages[i % 64], alone[i % 64])
            return SHA256.digest(message) == expected.0
              && HMAC.sha256(key: message, message) == expected.1
          }
        }
      }
      for await agreed in group { #expect(agreed) }
    }
  }

  @Test func `the portable digests are equal to the library's, at every length of a block`() {
    var generator = SystemRandomNumberGenerator()
    for length in Array(0...260) + [1000, 4096, 65_537] {
      let message = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let key = message.prefix(length % 150) + [1]
      #expect(PortableDigests.sha256(message) == SHA256.digest(message))
      #expect(
        PortableDigests.hmacSHA256(key: Array(key), message)
          == HMAC.sha256(key: Array(key), message))
      #expect(PortableDigests.md5(message).map(Hex.string) == MD5.hex(message))
    }
    #expect(PortableDigests.hmacSHA256(key: [], []) == HMAC.sha256(key: [], []))
  }
}
