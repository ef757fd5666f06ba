import ObjectStore

extension S3Client {
  /// ListObjectsV2. Skips pages that a server leaves empty.
  ///
  /// - Parameter closing: whether the connection is not to be used again.
  func list(
    _ request: ListRequest, closing: Bool = false
  ) async throws(StoreError) -> ListPage {
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
      let page = try await page(query, closing: closing)
      if page.ignoresStartAfter {
        logger.debug("the store ignores start-after; its keys are left out here")
      }
      guard page.isOrdered else { return try await sorted(query, from: page) }
      guard page.entries.isEmpty, page.folders.isEmpty, let next = page.next else {
        return ListPage(
          entries: page.entries, folders: page.folders, next: page.next?.description)
      }
      query = ListQuery(query, continuingAt: next)
    }
    throw StoreError(
      .unavailable, "listing got \(Self.mostEmptyPages) empty pages and no end",
      key: request.prefix, remedy: "check the server")
  }

  private static let mostEmptyPages = 100

  /// A listing without order, as S3 Express answers: all its pages, sorted, are one.
  private func sorted(_ query: ListQuery, from first: ListAnswer) async throws(StoreError)
    -> ListPage
  {
    logger.debug("the store lists without order; all pages are read and sorted")
    var entries = first.entries
    var folders = Set(first.folders)
    var next = first.next
    var pages = 1
    while let place = next {
      guard pages < Self.mostUnorderedPages else {
        throw StoreError(
          .unavailable,
          "listing got \(pages) pages of keys in no order, and more follow (prefix \(query.prefix))",
          remedy: "use a store that lists keys in order")
      }
      let page = try await page(ListQuery(query, continuingAt: place), inAnyOrder: true)
      entries += page.entries
      folders.formUnion(page.folders)
      next = page.next
      pages += 1
    }
    entries.sort { $0.key.precedes($1.key) }
    guard zip(entries, entries.dropFirst()).allSatisfy({ $0.key.precedes($1.key) }) else {
      throw StoreError(
        .unavailable, "listing got keys out of order, and some twice (prefix \(query.prefix))",
        remedy: "check that \(location.endpoint) is an S3 server with ListObjectsV2")
    }
    return ListPage(
      entries: entries, folders: folders.sorted { $0.precedes($1) }, next: nil)
  }

  /// Of a thousand keys each, they take about 30 MB.
  private static let mostUnorderedPages = 100

  private func page(
    _ query: ListQuery, inAnyOrder: Bool = false, closing: Bool = false
  ) async throws(StoreError) -> ListAnswer {
    var request = S3Request(
      method: .get, query: query.parameters, maximumResponseBytes: 16 << 20, verb: "listing")
    request.closesConnection = closing
    let answer = try await perform(request)
    switch answer.result {
    case .success(let response):
      do {
        return try ListAnswer(
          response.body, for: query, in: answer.context.location.bucket, inAnyOrder: inAnyOrder)
      } catch {
        throw answer.context.error(
          .unavailable, "listing got \(error) (prefix \(query.prefix))",
          remedy: "check that \(location.endpoint) is an S3 server with ListObjectsV2",
          serverDetail: error.answer?.cleaned())
      }
    case .refused(let failure): throw answer.context.error(failure)
    case .broken(let error): throw answer.context.error(error)
    }
  }
}
