package import HealthModel
package import ObjectStore

/// What a listing has told of one day, so that its requests need not be made again.
package struct DayKnowledge: Hashable, Sendable {
  /// Every revision id listed, in no order.
  package var revisions: [RevisionID]
  /// The pointer, where the listing decides it: absent, or equal to one that it names by etag.
  package var pointer: PointerReading?
  /// Keys below the day that the layout does not know.
  package var foreignKeys: [String]
  /// Keys between this day and the next that lie below no day.
  package var strayKeys: [String] = []
  /// Why the day can't be told, where something unreadable may hide its objects.
  package var obstacle: StoreError?
  /// What was listed of revisions, where a copy of them may answer (R39).
  var versions: [RevisionID: ObjectVersion] = [:]
  /// What was listed of the pointer, where a copy of it may answer.
  var pointerVersion: ObjectVersion?

  package init(
    revisions: [RevisionID] = [], pointer: PointerReading? = .absent, foreignKeys: [String] = []
  ) {
    self.revisions = revisions
    self.pointer = pointer
    self.foreignKeys = foreignKeys
  }

  /// A day of whose revisions these are known, and whose pointer is not to be looked at.
  init(listed: [ListedRevision]) {
    self.init(revisions: listed.map(\.id))
    for revision in listed { versions[revision.id] = revision.version }
  }
}
