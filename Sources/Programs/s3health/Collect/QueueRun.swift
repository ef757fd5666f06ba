import ArgumentParser
import CommandLineKit
import HealthCollector
import HealthLedger
import HealthModel
import HealthSources
import HealthStreams
import Outbox

/// A run of `collect --queue`: puts the new payloads of a folder into the outbox (R47, R55).
struct QueueRun {
  let outbox: Outbox
  /// The folder, or one payload.
  let source: String

  func run(_ format: OutputFormat) async throws(LedgerError) -> ExitCode {
    let moved = try await move()
    try moved.print(format)
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
  struct Moved: CommandResult {
    let source: String
    let count: Int
    let leftOut: [String]
    /// Files that could not be queued.
    let failures: [LedgerError]
    /// What no day is made of.
    let notes: [String]

    /// For people.
    var words: String { count.counted("payload") }

    var document: any Encodable {
      [
        "source": source, "feed": PayloadFolderSource.feed, "queued": count, "left_out": leftOut,
        "errors": failures.map(\.document), "notes": notes,
      ] as Document
    }

    func lines(_ terminal: Terminal) -> [String] {
      if Diagnostics.isQuiet { return [] }
      guard count > 0 else { return ["nothing is new since the last run: nothing was queued"] }
      return ["queued \(words); s3health raw sync uploads \(count == 1 ? "it" : "them")"]
    }
  }

  /// Throws unless a source can be queued.
  static func check(_ source: String) throws(LedgerError) {
    switch try Input(configured: source).kind {
    case .payloads: break
    case .export(_, let first) where first.isEmpty:
      throw LedgerError(
        .invalidArguments,
        "an Apple Health export can't be queued; only payloads of Health Auto Export can",
        key: source, remedy: "run `s3health import \(source)`, which publishes its days")
    case .export, .pipedPayload:
      throw LedgerError(
        .invalidArguments, "stdin can't be queued, because its next run could not be compared",
        key: source, remedy: "name a file or a folder")
    }
  }

  /// Queues what is new.
  func move() async throws(LedgerError) -> Moved {
    try Self.check(source)
    let now = LedgerEnvironment.system.now
    let payloads = PayloadFolderSource(source, now: now)
    let mover = ChangeMover(from: payloads, to: outbox)
    var progress = ProgressLine("queueing", total: nil)
    defer { progress.clear() }
    do {
      let result = try await mover.move(feed: PayloadFolderSource.feed) {
        progress.advance(to: $0.added)
      }
      let (broken, arriving) = payloads.failures.split(at: now())
      return Moved(
        source: source, count: result.added, leftOut: payloads.leftOut, failures: broken,
        notes: arriving + payloads.remarks)
    } catch let error as LedgerError {
      throw error
    } catch let error as OutboxError {
      throw LedgerError(error)
    } catch let error as AnchorMoved {
      throw LedgerError(
        .storageUnavailable, "other runs kept moving the anchor of \(error.feed)",
        remedy: "run the command again", isRetryable: true)
    } catch {
      throw LedgerError(.internal, "\(source): \(error)")
    }
  }
}
