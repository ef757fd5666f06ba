import ObjectStore

extension S3Client {
  /// ListObjectsV2. Skips pages that a server leaves empty.
  func list(_ request: ListRequest) async throws(StoreError) -> ListPage {
    guard request.limit >= 1 else {
      throw StoreError(
        .invalidRequest, "a listing was asked for pages of \(request.limit) entries",
        remedy: "ask for 1 to 1000")
    }
    guard var query = ListQuery(request) else {
      throw StoreError(
        .invalidRequest, "listing can't go on from a place that this store did not give",
        key: request.prefix, remedy: "start the listing again")
    }
    for _ in 0..<Self.mostEmptyPages {
      let answer = try await perform(
        S3Request(
          method: .get, query: query.parameters, maximumResponseBytes: 16 << 20, verb: "listing"))
      let page: ListAnswer
      switch answer.result {
      case .success(let response):
        do {
          page = try ListAnswer(response.body, for: query, in: answer.context.location.bucket)
        } catch {
          throw answer.context.error(
            .unavailable, "listing got \(error) (prefix \(request.prefix))",
            remedy: "check that \(location.endpoint) is an S3 server with ListObjectsV2",
            serverDetail: error.answer)
        }
      case .refused(let failure): throw answer.context.error(failure)
      case .broken(let error): throw answer.context.error(error)
      }
      if page.ignoresStartAfter {
        logger.debug("the store ignores start-after; its keys are left out here")
      }
      guard page.entries.isEmpty, let next = page.next else {
        return ListPage(entries: page.entries, next: page.next?.description)
      }
      query = ListQuery(query, continuingAt: next)
    }
    throw StoreError(
      .unavailable, "listing got \(Self.mostEmptyPages) empty pages and no end",
      key: request.prefix, remedy: "check the server")
  }

  private static let mostEmptyPages = 100
}
