package import HealthModel
package import ObjectStore

/// What a listing has reported about one day, so that its requests need not be made again.
package struct DayKnowledge: Hashable, Sendable {
  /// Every listed revision id, unsorted.
  package var revisions: [RevisionID]
  /// The pointer, if the listing determines it: absent, or equal by its etag to one with a known
  /// value.
  package var pointer: PointerReading?
  /// Keys below the day that are not part of the layout.
  package var foreignKeys: [String]
  /// Keys between this day and the next that are not below any day, and keys in copies of this
  /// day's folder (`08 2`) or of a folder above.
  package var strayKeys: [String] = []
  /// Why nothing is known about the day: something unreadable may hide its objects.
  package var obstacle: StoreError?
  /// The listed versions of revisions, which reads must fit (R34), and with which the cache answers
  /// (R39).
  var versions: [RevisionID: ObjectVersion] = [:]
  /// The same of the pointer.
  var pointerVersion: ObjectVersion?

  package init(
    revisions: [RevisionID] = [], pointer: PointerReading? = .absent, foreignKeys: [String] = []
  ) {
    self.revisions = revisions
    self.pointer = pointer
    self.foreignKeys = foreignKeys
  }

  /// Knowledge of a day's revisions, for a reader that ignores the pointer.
  init(listed: [ListedRevision]) {
    self.init(revisions: listed.map(\.id))
    for revision in listed { versions[revision.id] = revision.version }
  }
}
