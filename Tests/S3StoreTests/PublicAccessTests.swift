import ObjectStore
import TestSupport
import Testing

@testable import S3Store

/// On every server that checks signatures; each of them keeps the policies of buckets.
@Suite(.server) struct PublicAccessTests {
  @Test(arguments: TestServer.all.filter(\.checksSignatures))
  func `what anyone may do without a key is found, and no object is left behind`(
    server: TestServer
  ) async throws {
    let closed = try server.store()
    let prefix = freshPrefix()
    let name = try key("\(prefix)/a.json")
    #expect(try await closed.put(name, [1], if: .absent).etag != nil)
    #expect(await closed.publicAccess(below: prefix, name.rawValue) == [])

    let bucket = "open-\(UInt32.random(in: 0 ... .max))"
    let open = try server.store(bucket: bucket)
    try await open.createBucket()
    #expect(try await open.put(name, [1], if: .absent).etag != nil)
    for (actions, expected): (String, [PublicAccess]) in [
      (#""s3:ListBucket""#, [.list]), (#""s3:GetObject""#, [.read]),
      (
        #""s3:ListBucket","s3:GetObject","s3:PutObject""#,
        server.letsAnyoneWrite ? PublicAccess.allCases : [.list, .read]
      ),
    ] {
      let policy = """
        {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":["*"]},\
        "Action":[\(actions)],"Resource":["arn:aws:s3:::\(bucket)","arn:aws:s3:::\(bucket)/*"]}]}
        """
      let answer = try await open.client.perform(
        S3Request(
          method: .put, query: [("policy", nil)], body: Array(policy.utf8), verb: "opening"))
      guard case .success = answer.result else {
        Issue.record("the bucket's policy was not set: \(answer.result)")
        return
      }
      #expect(await open.publicAccess(below: prefix, name.rawValue) == expected)
    }
    let left = try await open.listAll(ListRequest(prefix: ""))
    #expect(left.map(\.key) == [name.rawValue])
    try await open.delete(name)
    _ = try await open.client.perform(S3Request(method: .delete, verb: "removing"))
  }
}
