import HTTPClient
import Testing

@Suite(.unit) struct `A request's target` {
  @Test(arguments: [
    ("http://localhost/", "localhost", true), ("http://LOCALHOST:80?x", "LOCALHOST", true),
    ("http://127.0.0.1:9000/b", "127.0.0.1", true), ("https://127.9.9.9", "127.9.9.9", true),
    ("https://[::1]:443/", "::1", true), ("http://[2001:db8::1]/", "2001:db8::1", false),
    ("http://127.0.0.1.example/", "127.0.0.1.example", false),
    ("http://127.example/", "127.example", false), ("http://128.0.0.1/", "128.0.0.1", false),
    ("http://127.0.0.256/", "127.0.0.256", false),
    ("https://s3.amazonaws.com/@:b", "s3.amazonaws.com", false),
  ])
  func `names its host and knows loopback`(url: String, host: String, loopback: Bool) throws {
    let target = try RequestTarget(url)
    #expect(target.host == host)
    #expect(target.isLoopback == loopback)
    #expect(target.isTLS == url.hasPrefix("https"))
  }
}
