/// Which keys to list.
public struct ListRequest: Hashable, Sendable {
  /// Only keys that begin with this. It may end anywhere, even inside a segment.
  public var prefix: String
  /// Only keys greater than this, in UTF-8 byte order.
  public var startAfter: String?
  /// Where an earlier page of the same request ended: its `ListPage.next`.
  public var continuation: String?
  /// The most entries and folders of a page, 1 to 1,000.
  public var limit: Int
  /// True to list only what is directly below the prefix: the keys that have no further slash, and
  /// as a folder, once, what is before the next slash of all others (S3's delimiter `/`).
  public var isShallow = false

  /// The first page unless a continuation is given.
  public init(
    prefix: String, startAfter: String? = nil, continuation: String? = nil, limit: Int = 1000
  ) {
    self.prefix = prefix
    self.startAfter = startAfter
    self.continuation = continuation
    self.limit = limit
  }
}

/// A part of a listing.
public struct ListPage: Sendable {
  /// In UTF-8 byte order.
  public let entries: [ListEntry]
  /// The folders of a shallow listing, each with the prefix asked for and a final slash, in UTF-8
  /// byte order within the page. One that can't be opened is listed too. Empty in any other listing.
  public let folders: [String]
  /// What to pass as `ListRequest.continuation` for the rest; nil at the end.
  public let next: String?

  /// A page.
  public init(entries: [ListEntry], folders: [String] = [], next: String?) {
    (self.entries, self.folders, self.next) = (entries, folders, next)
  }
}

/// One listed object.
public struct ListEntry: Hashable, Sendable {
  /// As the store spells it. A foreign key need not be a valid `ObjectKey`.
  public let key: String
  /// In bytes.
  public let size: Int
  /// Nil if the store does not list etags.
  public let etag: ETag?
  /// Seconds since 1970 by the store's clock.
  public let lastModified: Int?
  /// Why this entry can't be read, if the store knows. It may be an object, or it may hide objects
  /// below its name.
  public var obstacle: StoreError?

  /// An entry.
  public init(key: String, size: Int, etag: ETag?, lastModified: Int?) {
    (self.key, self.size, self.etag, self.lastModified) = (key, size, etag, lastModified)
  }
}

extension ObjectStore {
  /// All entries of a listing, page by page.
  ///
  /// - Parameters:
  ///   - request: what to list; its page begins the listing.
  ///   - maximum: the most entries. Throws `tooLarge` if there are more, so that memory stays
  ///     bounded.
  public func listAll(
    _ request: ListRequest, maximum: Int = 1_000_000
  ) async throws(StoreError) -> [ListEntry] {
    var entries: [ListEntry] = []
    var request = request
    while true {
      let page = try await list(request)
      entries += page.entries
      guard entries.count <= maximum else {
        throw StoreError(
          .tooLarge, "more than \(maximum) objects below \(request.prefix)",
          remedy: "ask for a smaller range")
      }
      guard let next = page.next else { return entries }
      request.continuation = next
    }
  }
}
