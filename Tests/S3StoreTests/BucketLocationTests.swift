import Testing

@testable import S3Store

@Suite(.unit) struct BucketLocationTests {
  private func location(
    _ endpoint: S3Endpoint?, bucket: String = "b", region: String = "us-east-1",
    _ style: S3Configuration.AddressingStyle = .auto
  ) -> BucketLocation {
    BucketLocation(
      S3Configuration(bucket: bucket, endpoint: endpoint, region: region, addressingStyle: style))
  }

  private let minio = S3Endpoint(scheme: .http, host: "127.0.0.1", port: 9000)

  @Test func `path style puts the bucket into the path`() {
    let location = location(minio)
    #expect(location.host == "127.0.0.1:9000")
    #expect(location.url(key: "a/b") == "http://127.0.0.1:9000/b/a/b")
    #expect(location.url(key: nil) == "http://127.0.0.1:9000/b")
  }

  @Test func `virtual style puts it into the host`() {
    #expect(
      location(nil, region: "eu-west-1").url(key: "a")
        == "https://b.s3.eu-west-1.amazonaws.com/a")
    #expect(location(nil).url(key: nil) == "https://b.s3.us-east-1.amazonaws.com/")
    #expect(location(minio, .virtual).host == "b.127.0.0.1:9000")
  }

  @Test func `a bucket with a dot stays out of the host, for its certificate's sake`() {
    #expect(
      location(nil, bucket: "a.b").url(key: "k") == "https://s3.us-east-1.amazonaws.com/a.b/k")
  }

  @Test func `a base path comes first`() {
    let endpoint = S3Endpoint(scheme: .https, host: "h", basePath: "/store v1")
    #expect(location(endpoint).url(key: "k") == "https://h/store%20v1/b/k")
    #expect(location(endpoint).path(key: "k") == "/store v1/b/k")
  }

  @Test(arguments: [
    ("a b", "a%20b"), ("a+b", "a%2Bb"), ("a%20b", "a%2520b"), ("é", "%C3%A9"), ("~-._", "~-._"),
    ("a=b&c?d#e", "a%3Db%26c%3Fd%23e"), ("!*'()", "%21%2A%27%28%29"), ("a//b", "a//b"),
    ("../a", "../a"), ("\u{1F600}", "%F0%9F%98%80"),
  ])
  func `a key is encoded once and never normalised`(key: String, path: String) {
    #expect(location(minio).url(key: key) == "http://127.0.0.1:9000/b/\(path)")
  }

  @Test func `another region changes AWS's own host and no other`() {
    #expect(
      location(nil).moved(to: "eu-west-1")?.url(key: "k")
        == "https://b.s3.eu-west-1.amazonaws.com/k")
    let moved = location(minio).moved(to: "eu-west-1")
    #expect(moved?.host == "127.0.0.1:9000")
    #expect(moved?.region == "eu-west-1")
    let named = S3Endpoint(scheme: .https, host: "s3.us-east-1.amazonaws.com")
    #expect(
      location(named, .virtual).moved(to: "eu-west-1")?.host == "b.s3.eu-west-1.amazonaws.com")
    let lookalike = S3Endpoint(scheme: .https, host: "us-east-1.amazonaws.com.evil.example")
    #expect(location(lookalike).moved(to: "eu-west-1")?.host == lookalike.host)
  }

  @Test(arguments: [
    "", "x.evil.example", "a/b", "a@b", "EU", "é", String(repeating: "a", count: 33),
  ])
  func `what is not a region's name is not gone to`(region: String) {
    #expect(location(nil).moved(to: region) == nil)
  }
}
