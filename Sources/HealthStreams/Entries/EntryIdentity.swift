/// What readers count an entry by (R45): two entries of one identity are one, sent twice or
/// corrected.
///
/// An id that is the sample's own is the same wherever it comes from. A chunk's id is one of its
/// device. An id that is made from an entry's members tells entries apart only within a device and
/// a feed, because two feeds may make the same id of different samples.
package struct EntryIdentity: Hashable, Sendable {
  private let stream: StreamName
  private let id: String
  private let device: String?
  private let feed: String?

  /// - Parameters:
  ///   - device: the device of its batch.
  ///   - feed: the feed of its object. The entry's own comes first.
  package init(_ entry: StreamEntry, device: String, feed: String) {
    (stream, id) = (entry.stream, entry.id)
    let isNative = entry.hasNativeID
    self.device = isNative && entry.stream == .healthKit ? nil : device
    self.feed = isNative ? nil : entry.ownFeed ?? feed
  }
}
