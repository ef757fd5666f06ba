import AppleExport
import Foundation
package import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams

/// The samples of an Apple Health export as changes (R45, R47).
///
/// An export is all that Health holds, without ids and without anchors. So what the last one held
/// is remembered in a snapshot beside the queue; the anchor names it. Reading another export makes
/// the next snapshot; the changes lead from one to the other. A run that is cut off goes on where
/// it ended, with the same two snapshots, and so does another run at the same time.
package struct ExportSampleSource: SampleSource {
  /// The feed's name, in the queue and in the entries.
  package static let feed = CompleteFeed.appleExport

  private let path: String
  private let folder: String
  private let allowsLoss: Bool
  private let progress: @Sendable (IntakeProgress) -> Void
  private let remark: @Sendable (String) -> Void

  /// The most changes in one answer.
  package static let maximumChanges = 2000
  /// Of so many samples in a hundred that are gone, a person is asked.
  package static let lossThatAsks = 5

  /// - Parameters:
  ///   - path: the export.
  ///   - folder: where snapshots are kept; made if it is not there.
  ///   - allowsLoss: whether more than `lossThatAsks` percent of the samples may be gone.
  ///   - remark: takes what a person should know of the export.
  package init(
    _ path: String, snapshots folder: String, allowsLoss: Bool = false,
    progress: @escaping @Sendable (IntakeProgress) -> Void = { _ in },
    remark: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.path, self.folder) = (path, folder)
    (self.allowsLoss, self.progress, self.remark) = (allowsLoss, progress, remark)
  }

  /// How far the queue was brought: to a snapshot, or to a place on the way to the next one.
  private struct Anchor {
    /// The snapshot that all changes lead to; nil before the first.
    var settled: String?
    /// The snapshot that is being read, and how far.
    var next: (name: String, position: ExportSnapshot.Changes.Position)?

    init(
      settled: String? = nil, next: (name: String, position: ExportSnapshot.Changes.Position)? = nil
    ) {
      (self.settled, self.next) = (settled, next)
    }

    init?(_ bytes: [UInt8]) {
      guard let value = try? JSONValue(parsing: bytes), case .object = value else { return nil }
      settled = value["snapshot"]?.stringValue
      if let name = value["next"]?.stringValue,
        let new = value["position"]?.numberValue.flatMap(Int.init(exactly:)), new >= 0,
        let old = value["old_position"]?.numberValue.flatMap(Int.init(exactly:)), old >= 0
      {
        next = (name, .init(old: old, new: new))
      }
      guard [settled, next?.name].allSatisfy({ $0.map(Self.isName) ?? true }) else { return nil }
    }

    var bytes: [UInt8] {
      var members: [String: JSONValue] = [:]
      if let settled { members["snapshot"] = .string(settled) }
      if let next {
        members["next"] = .string(next.name)
        members["position"] = .number(Double(next.position.new))
        members["old_position"] = .number(Double(next.position.old))
      }
      return JSONValue.object(members).canonicalBytes
    }

    /// Anchors are this program's own, but a name becomes a path.
    static func isName(_ name: String) -> Bool {
      (1...80).contains(name.utf8.count)
        && name.utf8.allSatisfy {
          (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
            || (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "-")
        }
    }
  }

  /// The next changes, at most `maximumChanges`.
  ///
  /// - Throws: `LedgerError` if the export or a snapshot can't be read, or if too many samples are
  ///   gone.
  package func changes(of feed: String, since bytes: [UInt8]?) async throws -> SampleChanges {
    guard let anchor = bytes.map(Anchor.init) ?? Anchor() else {
      throw LedgerError(
        .invalidArguments, "the anchor of \(feed) is damaged", remedy: .input(.resetAnchors))
    }
    let old = try anchor.settled.map { name throws(LedgerError) in try snapshot(name) }
    guard let next = anchor.next else {
      let name = UUID().uuidString
      // Where the anchor was reset, all are sent again under the ids that they had, and so is what is
      // gone: the reset may have come with the loss of its deletions.
      let isNew = try read(after: old ?? newest(), into: name, tellsAll: old == nil)
      guard isNew else {
        return SampleChanges(
          added: [], deleted: [], newAnchor: bytes ?? Anchor().bytes, isComplete: true)
      }
      return try reported(from: old, settled: anchor.settled, to: name, at: .init())
    }
    return try reported(from: old, settled: anchor.settled, to: next.name, at: next.position)
  }

  private func reported(
    from old: SnapshotFile?, settled: String?, to name: String,
    at position: ExportSnapshot.Changes.Position
  ) throws -> SampleChanges {
    let new = try snapshot(name)
    var changes = try ExportSnapshot.Changes(from: old, to: new, at: position)
    var (added, deleted): ([StreamEntry], [StreamEntry]) = ([], [])
    var (next, end) = (try changes.next(), changes.position)
    while let change = next, added.count + deleted.count < Self.maximumChanges {
      // The next answer begins here if this change is the last of this one.
      end = changes.position
      next = try changes.next()
      let export = ExportMoments(madeAt: new.madeAt, next: next?.sample.start)
      switch change {
      case .added(let sample): added.append(try StreamEntry(sample, of: export))
      case .gone(let sample): deleted.append(try StreamEntry(gone: sample, of: export))
      }
    }
    guard next != nil else {
      sweep(keeping: [name, settled])
      return SampleChanges(
        added: added, deleted: deleted, newAnchor: Anchor(settled: name).bytes, isComplete: true)
    }
    return SampleChanges(
      added: added, deleted: deleted, newAnchor: Anchor(settled: settled, next: (name, end)).bytes,
      isComplete: false)
  }

  // MARK: - Snapshots

  private func file(_ name: String) -> String { folder + "/" + name + ".samples" }

  private func snapshot(_ name: String) throws(LedgerError) -> SnapshotFile {
    if let file = try SnapshotFile(path: file(name)) { return file }
    throw LedgerError(
      .invalidArguments,
      "the record of what the last export held is gone: \(file(name))",
      remedy: .input(.resetAnchors))
  }

  /// Reads the export into a new snapshot. Returns false if nothing differs; then none is left.
  private func read(
    after old: SnapshotFile?, into name: String, tellsAll: Bool
  ) throws -> Bool {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      var sink = ExportSnapshot.Sink(after: old)
      let reading = try ExportReader(path: path).read(into: &sink) { state in
        progress(.reading(bytes: Int(state.bytesRead), of: state.bytesTotal.map { Int($0) }))
      }
      if let note = reading.categoryNote { remark(note) }
      if !allowsLoss, let madeAt = sink.madeAt, let last = old?.madeAt, madeAt < last {
        throw LedgerError(
          .invalidArguments,
          "\(path) was exported at \(Timestamp(secondsSince1970: madeAt)), before the export that was "
            + "queued last (\(Timestamp(secondsSince1970: last))); nothing was queued, because the samples "
            + "of the time between would be deleted",
          remedy: .input(.confirmOlder))
      }
      let (snapshot, difference) = try sink.write(to: file(name), after: old)
      let isNew =
        difference.added + difference.gone > 0 || tellsAll && snapshot?.alive ?? 0 > 0
      guard isNew else {
        unsafe unlink(file(name))
        return false
      }
      if !allowsLoss, difference.gone * 100 > difference.before * Self.lossThatAsks {
        unsafe unlink(file(name))
        throw LedgerError(
          .invalidArguments,
          "\(path) lacks \(difference.gone.grouped) of \(difference.before.grouped) samples that "
            + "the last export had; nothing was queued",
          remedy: .input(.confirmLoss))
      }
      return true
    } catch let error as ExportError {
      throw LedgerError(error)
    }
  }

  /// The snapshot that was made last; nil if there is none.
  private func newest() -> SnapshotFile? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let dated = names.filter { $0.hasSuffix(".samples") }.map { name in
      var status = stat()
      return unsafe (stat(folder + "/" + name, &status) == 0 ? status.modified : 0, name)
    }
    return dated.max { $0 < $1 }.flatMap { try? SnapshotFile(path: folder + "/" + $0.1) }
  }

  /// Removes snapshots that no anchor names any more. Another run may be reading one, so those of
  /// the last day stay.
  private func sweep(keeping names: [String?]) {
    let kept = Set(names.compactMap(\.self).map { $0 + ".samples" })
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasSuffix(".samples") && !kept.contains(name) {
      var status = stat()
      guard unsafe stat(folder + "/" + name, &status) == 0,
        time(nil) - status.modified > 86_400
      else { continue }
      unsafe unlink(folder + "/" + name)
    }
  }
}

extension stat {
  fileprivate var modified: Int {
    #if os(Linux)
      st_mtim.tv_sec
    #else
      st_mtimespec.tv_sec
    #endif
  }
}

/// The moments that an entry gives of its export, in seconds since 1970.
private struct ExportMoments {
  let madeAt: Int?
  /// When the next entry begins; nil after the last one.
  let next: Int?

  /// When the next entry begins, for an entry to say; nil if it is on the same date, and so read with it.
  func following(_ start: Int) -> Timestamp? {
    let start = Timestamp(secondsSince1970: start)
    guard let next = next.map(Timestamp.init(secondsSince1970:)) else {
      return madeAt.map(Timestamp.init(secondsSince1970:)).flatMap { $0 > start ? $0 : nil }
    }
    return next.utcDate > start.utcDate ? next : nil
  }
}

extension StreamEntry {
  /// A sample of an export as an entry of a stream.
  fileprivate init(_ sample: SnapshotSample, of export: ExportMoments) throws(RequestFault) {
    var members = Self.members(sample, export)
    members["value"] = .number(sample.value)
    members["unit"] = .string(sample.unit)
    members["source"] = .string(sample.source.cut(to: 200))
    if !sample.hardware.isEmpty { members["hardware"] = .string(sample.hardware.cut(to: 200)) }
    if sample.isUserEntered { members["user_entered"] = .bool(true) }
    try self.init(.object(members), of: .healthKit)
  }

  /// The deletion of a sample.
  fileprivate init(gone sample: SnapshotSample, of export: ExportMoments) throws(RequestFault) {
    var members = Self.members(sample, export)
    members["deleted"] = .bool(true)
    try self.init(.object(members), of: .healthKit)
  }

  /// It says when its export was made, because it may be sent days later; and the last one of a date says
  /// when the next one begins, because that one may not be read for the same days (R49).
  private static func members(
    _ sample: SnapshotSample, _ export: ExportMoments
  ) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "sample_type": .string(sample.kind.identifier), "uuid": .string(sample.id),
      "feed": .string(ExportSampleSource.feed),
      "timestamp": .string("\(Timestamp(secondsSince1970: sample.start))"),
      "end_timestamp": .string("\(Timestamp(secondsSince1970: sample.end))"),
    ]
    if let madeAt = export.madeAt {
      members["exported_at"] = .string("\(Timestamp(secondsSince1970: madeAt))")
    }
    members["followed_at"] = export.following(sample.start).map { .string("\($0)") }
    return members
  }
}

extension String {
  /// At most so many bytes, in whole characters.
  fileprivate func cut(to bytes: Int) -> String {
    var text = self
    while text.utf8.count > bytes { text.removeLast() }
    return text
  }
}
