import ArgumentParser
import CommandLineKit
import HealthCollector
import HealthLedger
import HealthModel
import HealthStreams
import Intake
import Outbox
import StoreAccess

/// A run of `collect --queue`: puts what is new in an export into the outbox (R45, R47).
struct QueueRun {
  let outbox: Outbox
  /// The export, and the option or setting that names it.
  let source: (path: String, origin: String)
  /// Whether many samples may be gone.
  let allowsLoss: Bool

  func run(_ format: OutputFormat) async throws(LedgerError) -> ExitCode {
    try print(try await move(), format)
    return .success
  }

  /// Queues what is new, and what is gone as deletions.
  func move() async throws(LedgerError) -> ChangeMover.Result {
    let export = try worded(try path())
    let samples = ExportSampleSource(
      export, snapshots: outbox.file.path + ".snapshots", allowsLoss: allowsLoss)
    let mover = ChangeMover(from: samples, to: outbox)
    var progress = ProgressLine("queueing", total: nil)
    defer { progress.clear() }
    do {
      return try await mover.move(feed: ExportSampleSource.feed) {
        progress.advance(to: $0.added + $0.deleted)
      }
    } catch let error as IntakeError {
      throw LedgerError(error)
    } catch let error as OutboxError {
      throw LedgerError(error)
    } catch let error as AnchorMoved {
      throw LedgerError(
        .storageUnavailable, "other runs moved the anchor of \(error.feed) again and again",
        remedy: "run the command again", isRetryable: true)
    } catch {
      throw LedgerError(.internal, "\(source.path): \(error)")
    }
  }

  /// The export's path, if it is one.
  private func path() throws(IntakeError) -> String {
    guard case .export(let path, let first) = try ImportSource(existing: source.path),
      first.isEmpty
    else {
      throw IntakeError(
        .invalidArguments,
        "\(source.path) is not an Apple Health export: Health Auto Export's rows are sums and means "
          + "of many samples, so they can't be queued as samples",
        remedy: "publish its days with s3health collect, without --queue")
    }
    return path
  }

  private func print(
    _ result: ChangeMover.Result, _ format: OutputFormat
  ) throws(LedgerError) {
    switch format {
    case .json:
      try StandardStreams.write(
        .object([
          "source": .string(source.path), "feed": .string(ExportSampleSource.feed),
          "queued": .number(Double(result.added)), "deleted": .number(Double(result.deleted)),
        ]))
    case .text:
      guard result.added + result.deleted > 0 else {
        try StandardStreams.writeLine("nothing is new since the last export: nothing was queued")
        return
      }
      try StandardStreams.writeLine("queued \(result.words); s3health sync uploads them")
    }
  }
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
