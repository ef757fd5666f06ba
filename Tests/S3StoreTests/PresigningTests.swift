import Digests
import Foundation
import HTTPClient
import SigV4
import TestSupport
import Testing

@testable import S3Store

/// On every real server that checks signatures.
@Suite(.server) struct PresignedURLs {
  @Test(arguments: TestServer.all.filter(\.checksSignatures))
  func `a presigned URL works for its own method, key and time only`(
    _ server: TestServer
  ) async throws {
    let configuration = try S3Configuration(server)
    let location = BucketLocation(configuration)
    let transport = SharedTransport.trusting(configuration.caBundle)
    let key = "presigned-\(UUID().uuidString)/a+b ~ü=&?#%2F:日本.json"
    let now = Int(Date().timeIntervalSince1970)

    func status(
      _ method: HTTPRequest.Method, _ presigned: String, at: Int = now, body: [UInt8] = [],
      key asked: String? = nil
    ) async throws -> HTTPResponse {
      let query = SigV4Signer(region: server.region).presignedQuery(
        SigningRequest(
          method: presigned, path: location.path(key: key),
          query: [("response-content-type", "text/x; a=\"b c\"")],
          headers: [("host", location.host)], payloadHash: SigningRequest.unsignedPayload),
        credentials: server.credentials, secondsSince1970: at, expiresInSeconds: 60)
      return try await transport.send(
        HTTPRequest(method, location.url(key: asked ?? key) + "?" + query, body: body))
    }

    let body = Array("presigned".utf8)
    #expect(try await status(.put, "PUT", body: body).status == 200)
    let read = try await status(.get, "GET")
    #expect(read.status == 200)
    #expect(read.body == body)
    #expect(read.header("content-type") == "text/x; a=\"b c\"")
    #expect(try await status(.put, "GET", body: body).status == 403)
    #expect(try await status(.get, "GET", at: now - 120).status == 403)
    #expect(try await status(.get, "GET", key: key + "x").status == 403)
    #expect(try await status(.delete, "DELETE").status == 204)
  }
}
