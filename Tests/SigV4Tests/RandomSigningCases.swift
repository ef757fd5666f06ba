import ContentDigests
import Digests
import StoreTesting

/// Requests such as no careful person would send, from a seed.
struct RandomSigningCases {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let pieces: [String] =
    [
      "a", "Z", "0", "-", "_", ".", "..", "~", "/", "//", "/./", "/../", "+", " ", "  ", "%",
      "%2F", "%20", "=", "&", "?", "#", ":", ";", "@", "*", "'", "(", ")", "!", "$", ",", "\"",
      "<", ">", "\\", "^", "`", "{", "|", "}", "[", "]", "\t", "\n", "\r", "\u{0}", "\u{1F}",
      "\u{7F}", "\u{80}", "\u{A0}", "é", "e\u{301}", "ß", "日本", "ሴ", "😀", "👩‍👩‍👧", "\u{FEFF}",
      "\u{FFFF}", "\u{10FFFF}", "latest.json", "health/v0/data",
    ]

  /// No line breaks, and no space beyond ASCII, which botocore's trimming also takes.
  private static let valuePieces: [String] = [
    "a", "B", "0", " ", "   ", "\t", ",", ";", ":", "=", "\"", "\"a  b\"", "é", "日本", "😀", "*",
    "%20", "+", "/",
  ]

  mutating func next() -> (SigningCase, body: [UInt8]) {
    let body = (0..<random.below(40)).map { _ in UInt8(random.below(256)) }
    let isVirtual = random.below(2) == 0
    let host = random.pick([
      "s3.amazonaws.com", "127.0.0.1:9000", "[::1]:9000", "minio.example:8080", "a-b.example",
    ])
    let signingCase = SigningCase(
      method: random.pick(["GET", "PUT", "HEAD", "DELETE", "POST"]),
      host: isVirtual && !host.hasPrefix("[") ? "bucket." + host : host,
      path: "/" + (isVirtual ? "" : "bucket/") + text(Self.pieces, upTo: 12),
      query: query(),
      headers: headers(),
      body: Hex.string(body),
      accessKey: "AK" + text(["A", "9", "Q"], upTo: 8),
      secretKey: text(["a", "+", "/", "Z", "9", "="], upTo: 40) + "s",
      token: random.below(3) == 0 ? text(["t", "+", "/", "=", "%", "Z"], upTo: 60) + "t" : nil,
      region: random.pick(["us-east-1", "eu-central-1", "default", "x", "cn-north-1"]),
      seconds: random.below(4_000_000_000))
    return (signingCase, body)
  }

  private mutating func text(_ pieces: [String], upTo count: Int) -> String {
    (0..<random.below(count + 1)).map { _ in random.pick(pieces) }.joined()
  }

  private mutating func query() -> [[String?]] {
    var query: [[String?]] = []
    for _ in 0..<random.below(6) {
      let name =
        random.below(3) == 0
        ? random.pick(["list-type", "prefix", "x-id", "X-Amz", "versionId", ""])
        : text(Self.pieces, upTo: 3)
      let value: String? = random.below(4) == 0 ? nil : text(Self.pieces, upTo: 4)
      query.append([name, value])
    }
    return query
  }

  private mutating func headers() -> [[String]] {
    (0..<random.below(6)).map { _ in
      [
        random.pick([
          "x-amz-meta-a", "X-Amz-Meta-A", "If-Match", "if-none-match", "Range", "User-Agent",
          "Content-Type", "x-amz-meta-a-b", "X-Amz-Meta", "Expect", "Connection", "zz", "A",
          "x-amz-server-side-encryption", "Content-Length",
        ]),
        text(Self.valuePieces, upTo: 6),
      ]
    }
  }
}
