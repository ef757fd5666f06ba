import HTTPClient
package import ObjectStore

extension S3Store {
  /// Whether the server says that there is no such bucket.
  package var isMissing: Bool {
    get async {
      do throws(StoreError) {
        _ = try await list(ListRequest(prefix: options.probePrefix, limit: 1))
        return false
      } catch {
        return error.code == .storeMissing
      }
    }
  }

  /// Makes the bucket, in the region of the configuration.
  package func createBucket() async throws(StoreError) {
    let region = configuration.region
    // The one region that must not be named.
    let body =
      region == S3Configuration.defaultRegion
      ? ""
      : "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        + "<LocationConstraint>\(region)</LocationConstraint></CreateBucketConfiguration>"
    let request = S3Request(
      method: .put, body: Array(body.utf8), kind: .once, verb: "making the bucket")
    let answer = try await client.perform(request)
    switch answer.result {
    case .success: return
    case .refused(let failure): throw answer.context.error(failure)
    case .broken(let error): throw answer.context.error(error)
    }
  }
}
