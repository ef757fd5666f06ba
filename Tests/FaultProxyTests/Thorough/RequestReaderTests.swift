import HTTPClient
import StoreTesting
import Testing

@testable import FaultProxy

/// The reader gives the same requests however the bytes are cut.
@Suite(.unit) struct RequestReaderTests {
  static let stream = """
    GET /b/%C3%A9?list-type=2&prefix=a%2Fb HTTP/1.1\r\nHost: h:1\r\nAuthorization:  AWS4  x=y \r\n\
    If-Match: 0123abc\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nx-amz-date: 1\r\n\r\n\
    PUT /b/k HTTP/1.1\nhost: h\ncontent-length: 5\nIf-None-Match: *\n\nhello\
    HEAD / HTTP/1.0\r\nHost: h\r\n\r\n
    """

  static func requests(_ pieces: [[UInt8]]) throws -> [ProxiedRequest] {
    var reader = RequestReader(ProxyLimits())
    var found: [ProxiedRequest] = []
    for piece in pieces {
      reader.take(piece)
      while let request = try reader.next() { found.append(request) }
    }
    #expect(reader.isBetweenRequests)
    return found
  }

  @Test func `requests are read whole, fields verbatim, without those of the connection`() throws {
    let all = try Self.requests([Array(Self.stream.utf8)])
    #expect(all.map(\.method) == [.get, .put, .head])
    #expect(all.map(\.operation) == [.list, .put, .head])
    #expect(all[0].target == "/b/%C3%A9?list-type=2&prefix=a%2Fb")
    #expect(all[0].path == "/b/%C3%A9")
    #expect(
      all[0].fields == [
        HTTPField("Host", "h:1"), HTTPField("Authorization", "AWS4  x=y"),
        HTTPField("If-Match", "0123abc"), HTTPField("x-amz-date", "1"),
      ])
    #expect(all[0].condition == "if-match")
    #expect(all[0].unconditional.condition == nil)
    #expect(all[1].body == Array("hello".utf8))
    #expect(all[1].condition == "if-none-match")
    #expect(all.map(\.closes) == [false, false, true])
  }

  @Test func `the same requests come out however the bytes are cut`() throws {
    let bytes = Array(Self.stream.utf8)
    let whole = try Self.requests([bytes])
    #expect(try Self.requests(bytes.map { [$0] }) == whole)
    var numbers = SplitMix64(seed: 1, stream: 0)
    for _ in 0..<500 {
      var pieces: [[UInt8]] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(1 + numbers.below(40))
        pieces.append(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      #expect(try Self.requests(pieces) == whole)
    }
  }

  @Test func `no bytes make it fail in another way than by a refusal, or take more than its bound`()
    throws
  {
    var limits = ProxyLimits()
    limits.headBytes = 300
    limits.bodyBytes = 100
    var numbers = SplitMix64(seed: 2, stream: 0)
    let original = Array(Self.stream.utf8)
    var refused = 0
    for _ in 0..<20_000 {
      var bytes = original
      for _ in 0...numbers.below(4) {
        let place = numbers.below(bytes.count)
        switch numbers.below(3) {
        case 0: bytes[place] = UInt8(numbers.below(256))
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes.prefix(numbers.below(200)), at: place)
        }
      }
      var reader = RequestReader(limits)
      do throws(RequestRefusal) {
        reader.take(bytes)
        while let request = try reader.next() {
          #expect(request.body.count <= limits.bodyBytes)
          #expect(request.target.hasPrefix("/"))
          #expect(request.fields.contains { $0.name.lowercased() == "host" })
        }
      } catch {
        refused += 1
        #expect((400...505).contains(error.status))
      }
    }
    #expect(refused > 5000 && refused < 20_000)
  }
}
