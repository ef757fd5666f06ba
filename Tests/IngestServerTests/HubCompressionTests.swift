import Gzip
import HealthStreams
import IngestServer
import StoreTesting
import Testing

/// Text that the hub compresses with libdeflate, decompressed with zlib.
@Suite(.unit) struct HubCompressionTests {
  @Test(arguments: [0, 1, 2, 100, 32_768, 65_535, 65_536, 300_000, 3_000_000])
  func `R46: decompressing gives the original text, whatever its length and pieces`(
    length: Int
  ) throws {
    var random = SplitMix64(seed: UInt64(length))
    // One text that compresses well and one that does not.
    for greatest in [UInt8(3), 255] {
      let text = (0..<length).map { _ in UInt8.random(in: 0...greatest, using: &random) }
      let packed = try HubCompression().gzip([text[...]])
      #expect(try ZlibCompression().gunzip(packed, limit: length) == text)
      #expect(packed.count <= length + length / 1000 + 64)
      let cut = Int.random(in: 0...length, using: &random)
      #expect(try HubCompression().gzip([text[..<cut], [], text[cut...]]) == packed)
    }
  }
}
