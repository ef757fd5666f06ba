/// What a recompute of a day leaves to the next one, besides its batches (R49). Pure.
struct KeptDay: Sendable {
  var payloads = PostedPayloads()
  var revisions = KnownRevisions()

  /// About how many bytes of memory it takes.
  var cost: Int { 1024 + payloads.cost + revisions.cost }
}
