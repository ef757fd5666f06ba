import HealthModel
import ObjectStore

/// A revision as a listing shows it.
struct ListedRevision: Hashable, Sendable {
  let id: RevisionID
  /// Nil where the store lists no etag that tells bytes apart.
  let version: ObjectVersion?
}
