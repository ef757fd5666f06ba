import ArgumentParser
import CommandLineKit
import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import Outbox
import Synchronization

/// A run of `collect --queue`: puts what is new in an export or a folder of payloads into the outbox
/// (R45, R47, R55).
struct QueueRun {
  let outbox: Outbox
  /// The source, and the option or setting that names it.
  let source: (path: String, origin: String)
  /// Whether many samples may be gone.
  let allowsLoss: Bool

  func run(_ format: OutputFormat) async throws(LedgerError) -> ExitCode {
    let moved = try await move()
    try print(moved, format)
    for file in moved.leftOut {
      StandardStreams.remark(
        "\(file.printable) is not a Health Auto Export payload and was left out")
    }
    StandardStreams.remark(notes: moved.notes)
    // What could be queued is; the rest is not passed over in silence.
    for failure in moved.failures { StandardStreams.say(failure) }
    return moved.failures.last?.code.exitCode ?? .success
  }

  /// What a run has queued.
  struct Moved {
    let feed: String
    let result: ChangeMover.Result
    /// Files that are not payloads.
    var leftOut: [String] = []
    /// Files that could not be queued.
    var failures: [LedgerError] = []
    /// What no day is made of.
    var notes: [String] = []

    /// For people.
    var words: String {
      feed == PayloadFolderSource.feed
        ? "\(result.added.grouped) \(result.added == 1 ? "payload" : "payloads")" : result.words
    }
  }

  /// Queues what is new, and what is gone as deletions.
  func move() async throws(LedgerError) -> Moved {
    switch try Input(configured: source.path).kind {
    case .export(let path, let first) where first.isEmpty:
      let notes = NoteList()
      let samples = ExportSampleSource(
        path, snapshots: outbox.file.path + ".snapshots", allowsLoss: allowsLoss,
        remark: { notes.add($0) })
      let feed = ExportSampleSource.feed
      return Moved(feed: feed, result: try await move(samples, feed), notes: notes.all)
    case .payloads:
      let payloads = PayloadFolderSource(source.path, now: LedgerEnvironment.system.now)
      let feed = PayloadFolderSource.feed
      let result = try await move(payloads, feed)
      return Moved(
        feed: feed, result: result, leftOut: payloads.leftOut, failures: payloads.failures,
        notes: payloads.remarks)
    case .export, .pipedPayload:
      throw LedgerError(
        .invalidArguments, "stdin can't be queued, because its next run could not be compared",
        key: source.path, remedy: "name a file or a folder")
    }
  }

  private func move(
    _ samples: some SampleSource, _ feed: String
  ) async throws(LedgerError) -> ChangeMover.Result {
    let mover = ChangeMover(from: samples, to: outbox)
    var progress = ProgressLine("queueing", total: nil)
    defer { progress.clear() }
    do {
      return try await mover.move(feed: feed) {
        progress.advance(to: $0.added + $0.deleted)
      }
    } catch let error as LedgerError {
      throw error
    } catch let error as OutboxError {
      throw LedgerError(error)
    } catch let error as AnchorMoved {
      throw LedgerError(
        .storageUnavailable, "other runs kept moving the anchor of \(error.feed)",
        remedy: "run the command again", isRetryable: true)
    } catch {
      throw LedgerError(.internal, "\(source.path): \(error)")
    }
  }

  private func print(
    _ moved: Moved, _ format: OutputFormat
  ) throws(LedgerError) {
    let result = moved.result
    switch format {
    case .json:
      try StandardStreams.write(
        .object([
          "source": .string(source.path), "feed": .string(moved.feed),
          "queued": .number(Double(result.added)), "deleted": .number(Double(result.deleted)),
          "left_out": .array(moved.leftOut.map { .string($0) }),
          "errors": .array(moved.failures.map(\.document)),
          "notes": .array(moved.notes.map { .string($0) }),
        ]))
    case .text:
      guard !Diagnostics.isQuiet else { return }
      guard result.added + result.deleted > 0 else {
        try StandardStreams.writeLine("nothing is new since the last run: nothing was queued")
        return
      }
      try StandardStreams.writeLine(
        "queued \(moved.words); s3health sync uploads "
          + (result.added + result.deleted == 1 ? "it" : "them"))
    }
  }
}

/// Notes from whatever thread.
private final class NoteList: Sendable {
  private let notes = Mutex<[String]>([])

  var all: [String] { notes.withLock { $0 } }
  func add(_ note: String) { notes.withLock { $0.append(note) } }
}

extension ChangeMover.Result {
  /// How many samples and deletions were queued.
  var words: String {
    let samples = "\(added.grouped) \(added == 1 ? "sample" : "samples")"
    return deleted == 0
      ? samples
      : "\(samples) and \(deleted.grouped) \(deleted == 1 ? "deletion" : "deletions")"
  }
}
