import Foundation
package import HealthCollector
import HealthLedger
package import HealthModel
import HealthStreams
import ObjectStore
import Synchronization

/// The payloads of Health Auto Export in a folder as changes (R47, R55): each whole, as the app
/// would post it.
///
/// The anchor names each file that was read, with a digest of its content. So a run finds the files
/// that are new and those that the app has written again. A file that is gone deletes nothing: an
/// automation tidies up, and a payload says what was measured, not what there is.
package final class PayloadFolderSource: SampleSource {
  /// The feed's name in the queue.
  package static let feed = "health_auto_export"

  private let path: String
  private let now: @Sendable () -> Timestamp
  private let state = Mutex(State())

  /// About how many bytes of files go into one answer, and how many files.
  private static let maximumBytes = 16 << 20
  private static let maximumFiles = 200

  private struct State {
    /// What was read of each file, so that the next answer need not read it again.
    var digests: [String: (version: FileVersion, digest: String)] = [:]
    var leftOut: [String] = []
    var failures: [String: BrokenFile] = [:]
    var remarks: [String] = []
  }

  /// - Parameters:
  ///   - path: the folder, or one payload.
  ///   - now: this machine's clock.
  package init(_ path: String, now: @escaping @Sendable () -> Timestamp) {
    (self.path, self.now) = (path, now)
  }

  /// Files that are not payloads, after the last answer.
  package var leftOut: [String] { state.withLock { $0.leftOut } }

  /// Files that could not be queued, after the last answer. They are tried again each time.
  package var failures: [BrokenFile] {
    state.withLock { state in state.failures.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// What of the payloads that were queued is in no day, and where.
  package var remarks: [String] { state.withLock { $0.remarks } }

  /// The next payloads, in the order of their names.
  package func changes(of feed: String, since bytes: [UInt8]?) async throws -> SampleChanges {
    guard case .payloads(let files, let others) = try Input(configured: path).kind else {
      throw LedgerError(
        .invalidArguments, "\(path) does not hold payloads of Health Auto Export",
        remedy: .input(.checkInputPath))
    }
    guard var known = bytes.map(KnownFiles.init) ?? KnownFiles() else {
      throw LedgerError(
        .invalidArguments, "the anchor of \(feed) is damaged", remedy: .input(.resetAnchors))
    }
    state.withLock { ($0.leftOut, $0.failures) = (others, [:]) }
    var added: [StreamEntry] = []
    var size = 0
    for file in files {
      guard size < Self.maximumBytes, added.count < Self.maximumFiles else {
        return SampleChanges(
          added: added, deleted: [], newAnchor: known.bytes, isComplete: false)
      }
      let name = String(file.split(separator: "/").last ?? "")
      let version = FileVersion(file)
      // Queued before a cloud drive evicted it.
      if version == nil, known[name] != nil { continue }
      if let read = state.withLock({ $0.digests[file] }), read.version == version,
        known[name] == read.digest
      {
        continue
      }
      do throws(LedgerError) {
        let content = try InputFile.read(file, maximumBytes: SourceDocument.maximumBytes)
        let digest = String(SealedBatch.digest(of: content).prefix(32))
        if known.take(name, digest) {
          guard let entry = try entry(of: content, file, isOnly: files.count == 1) else {
            state.withLock { $0.leftOut.append(name) }
            continue
          }
          let payload = (try? JSONValue(parsing: entry.bytes))?["payload"] ?? .null
          let notes = CaptureRows.leftOut(of: payload).notes
          state.withLock { $0.remarks += notes.map { "\(name): \($0)" } }
          added.append(entry)
          size += content.count
        }
        if let version { state.withLock { $0.digests[file] = (version, digest) } }
      } catch {
        // The others need not wait for it. It is not known, so it is tried again.
        known.forget(name)
        let broken = BrokenFile(file: file, error: error, writtenAt: InputFile.writtenAt(file))
        state.withLock { $0.failures[name] = broken }
      }
    }
    return SampleChanges(added: added, deleted: [], newAnchor: known.bytes, isComplete: true)
  }

  /// The entry of a file; nil if it holds JSON of another kind, and is not the only one.
  private func entry(
    of content: [UInt8], _ file: String, isOnly: Bool
  ) throws(LedgerError) -> StreamEntry? {
    do throws(SourceError) {
      guard try SourceDocument.recognise(content) == .healthAutoExport else {
        throw SourceError(
          .notRecognised, "this is not a payload of Health Auto Export",
          remedy: "name a folder of its JSON files")
      }
    } catch  where error.code == .notRecognised && !isOnly {
      return nil
    } catch {
      throw LedgerError(error, file)
    }
    let written = InputFile.writtenAt(file)
    do throws(RequestFault) {
      return try HealthAutoExportBody.entry(
        of: content, writtenAt: written, receivedAt: now(), spans: PayloadMoments.spans)
    } catch {
      throw LedgerError(
        .invalidArguments, "\(file) can't be queued: \(error.message)",
        remedy: "export fewer days in one file, or aggregate by day")
    }
  }
}

/// The files whose content was queued, by name, as the bytes of an anchor.
private struct KnownFiles {
  private var digests: [String: String] = [:]
  private var contents: Set<String> = []

  init() {}

  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes), case .object(let files)? = value["files"]
    else { return nil }
    for (name, digest) in files {
      guard let digest = digest.stringValue else { return nil }
      digests[name] = digest
    }
    contents = Set(digests.values)
  }

  subscript(name: String) -> String? { digests[name] }

  /// Notes a file's content. Returns whether it is to be queued: a file that was only renamed or
  /// copied is not.
  mutating func take(_ name: String, _ digest: String) -> Bool {
    guard digests[name] != digest else { return false }
    let isMoved = digests[name] == nil && contents.contains(digest)
    digests[name] = digest
    contents.insert(digest)
    return !isMoved
  }

  /// Lets a file be read again. What it said before is forgotten, too.
  mutating func forget(_ name: String) {
    digests[name] = nil
    contents = Set(digests.values)
  }

  var bytes: [UInt8] {
    JSONValue.object(["files": .object(digests.mapValues { .string($0) })]).canonicalBytes
  }
}
