import HTTPClient
import ObjectStore
import XMLTree

/// A ListObjectsV2 answer, parsed and checked against the request.
struct ListAnswer: Sendable {
  /// The requested entries: below the prefix, after the start.
  let entries: [ListEntry]
  /// The folders of a shallow listing: below the prefix, after the start, in order.
  let folders: [String]
  /// False for a first page whose keys are not in order.
  let isOrdered: Bool
  /// Where the next page begins; nil at the end.
  let next: ListPlace?
  /// True if the server listed keys up to the start, which were left out.
  let ignoresStartAfter: Bool

  /// - Parameter inAnyOrder: true for a further page of a listing that is not in order.
  /// - Throws: `XMLProblem` if the answer is not a listing, or is of another bucket or prefix, has
  ///   other keys than requested, stops being in order, repeats a page, or does not say whether more
  ///   pages follow. Otherwise an object that was not listed could be taken for absent.
  init(
    _ body: [UInt8], for query: ListQuery, in bucket: String, inAnyOrder: Bool = false
  ) throws(XMLProblem) {
    let root: XMLTree
    do {
      root = try XMLReader.read(body)
    } catch {
      throw XMLProblem("no XML: \(error)")
    }
    guard root.name == "ListBucketResult" else {
      throw XMLProblem("something else than a <ListBucketResult>", answer: "<\(root.name)>")
    }
    let isEncoded = root.value("EncodingType") == "url"
    try Self.checkIdentity(root, query, bucket, isEncoded: isEncoded)
    let isTruncated = try Self.isTruncated(root)
    var entries: [ListEntry] = []
    var last = inAnyOrder ? nil : query.place?.lastKey
    var ignoresStartAfter = false
    var isOrdered = true
    for element in root.children where element.name == "Contents" {
      let entry = try Self.entry(element, isEncoded: isEncoded)
      guard entry.key.utf8.starts(with: query.prefix.utf8) else {
        throw XMLProblem("a key outside of the prefix asked for")
      }
      guard !query.isShallow || Self.slashes(in: entry.key, after: query.prefix) == 0 else {
        throw XMLProblem("a key below a folder, where folders were asked for")
      }
      if let last, !last.precedes(entry.key) { isOrdered = false }
      last = entry.key
      if let start = query.startAfter, !start.precedes(entry.key) {
        ignoresStartAfter = true
        continue
      }
      // What came before is with the caller already. It can't be sorted any more.
      guard isOrdered || query.place == nil || inAnyOrder else {
        throw XMLProblem(
          entries.isEmpty ? "the same keys again instead of the next page" : "keys out of order")
      }
      entries.append(entry)
    }
    let (folders, lastFolder) = try Self.folders(
      root, query, inAnyOrder: inAnyOrder, isEncoded: isEncoded)
    if let lastFolder, last.map({ $0.precedes(lastFolder) }) ?? true { last = lastFolder }
    self.isOrdered = isOrdered
    self.entries = entries
    self.folders = folders
    self.ignoresStartAfter = ignoresStartAfter
    guard isTruncated else {
      next = nil
      return
    }
    // Tokens are opaque and never decoded. In RADOS gateway a token is the raw key in any encoding.
    guard let token = root.first("NextContinuationToken")?.text, !token.isEmpty else {
      throw XMLProblem("a page that is not the last and has no continuation token")
    }
    // Compares bytes, because in Swift strings that differ only in normalisation are equal.
    if let place = query.place, token.utf8.elementsEqual(place.token.utf8) {
      throw XMLProblem("a continuation that leads to itself")
    }
    next = ListPlace(lastKey: last ?? "", token: token)
  }

  /// Checks that the bucket and the prefix in the answer, if present, are the requested ones.
  /// Otherwise an empty page of another prefix could mean "there is nothing".
  private static func checkIdentity(
    _ root: XMLTree, _ query: ListQuery, _ bucket: String, isEncoded: Bool
  ) throws(XMLProblem) {
    // An access point's alias stands for a bucket of another name.
    if let name = root.value("Name"), name != bucket, !bucket.hasSuffix("-s3alias") {
      throw XMLProblem("the keys of another bucket", answer: name)
    }
    // Like a key, it is not trimmed. RADOS gateway does not encode it.
    guard let text = root.first("Prefix")?.text else { return }
    let spellings = [text, isEncoded ? PercentCoding.decode(text.utf8, plusIsSpace: true) : nil]
      .compactMap { $0 }
    guard spellings.contains(where: { $0.utf8.elementsEqual(query.prefix.utf8) }) else {
      throw XMLProblem("the keys of another prefix", answer: "\"\(text)\"")
    }
  }

  /// The folders of the page, those up to the start left out, and the last one that was listed.
  private static func folders(
    _ root: XMLTree, _ query: ListQuery, inAnyOrder: Bool, isEncoded: Bool
  ) throws(XMLProblem) -> ([String], last: String?) {
    guard query.isShallow else { return ([], nil) }
    var folders: [String] = []
    for element in root.children where element.name == "CommonPrefixes" {
      for prefix in element.children where prefix.name == "Prefix" {
        guard
          let folder = isEncoded
            ? PercentCoding.decode(prefix.text.utf8, plusIsSpace: true) : prefix.text,
          folder.utf8.starts(with: query.prefix.utf8), folder.utf8.last == UInt8(ascii: "/"),
          slashes(in: folder, after: query.prefix) == 1
        else { throw XMLProblem("a folder outside of the prefix asked for") }
        folders.append(folder)
      }
    }
    folders.sort { $0.precedes($1) }
    let last = folders.last
    if !inAnyOrder, let before = query.place?.lastKey {
      guard last.map({ before.precedes($0) }) ?? true else {
        throw XMLProblem("the same keys again instead of the next page")
      }
      // Some servers repeat the last folder of the page before. A folder that sorts before it is new:
      // SeaweedFS lists `p/` before `p-1/`.
      folders.removeAll { $0.utf8.elementsEqual(before.utf8) }
    }
    if let start = query.startAfter { folders.removeAll { !start.precedes($0) } }
    return (folders, last)
  }

  private static func slashes(in key: String, after prefix: String) -> Int {
    key.utf8.dropFirst(prefix.utf8.count).count { $0 == UInt8(ascii: "/") }
  }

  private static func isTruncated(_ root: XMLTree) throws(XMLProblem) -> Bool {
    switch root.value("IsTruncated")?.lowercased() {
    case "true": return true
    case "false": return false
    default: throw XMLProblem("a page that does not say whether more follow (IsTruncated)")
    }
  }

  private static func entry(
    _ element: XMLTree, isEncoded: Bool
  ) throws(XMLProblem) -> ListEntry {
    // Not trimmed, because white space is part of a key.
    guard let text = element.first("Key")?.text, !text.isEmpty,
      let key = isEncoded ? PercentCoding.decode(text.utf8, plusIsSpace: true) : text
    else { throw XMLProblem("an entry without a key that can be read") }
    guard let size = element.value("Size").flatMap(Int.init), size >= 0 else {
      throw XMLProblem("an entry without a size")
    }
    return ListEntry(
      key: key, size: size, etag: element.value("ETag").map(ETag.init),
      lastModified: element.value("LastModified").flatMap(ServerTime.iso8601))
  }
}

extension String {
  /// Compares UTF-8 bytes, the order in which stores list.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
