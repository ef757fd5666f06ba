import ArgumentParser
import CommandLineKit
import Foundation
import HealthLedger
import HealthModel
import HealthStreams
import Outbox

/// `raw add`: puts entries into the outbox (R44, R47).
struct QueueAddCommand: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Put entries of a stream into the outbox.",
    discussion: """
      The input is one JSON object, an array of them, or one object per line (docs/STREAMS.md). A \
      file and an array are queued as a whole or not at all. Lines from a pipe are queued as they \
      come: if one is refused, those before it stay queued, and the message says how many there are.

        s3health raw add --stream healthkit --input samples.json
        my-collector | s3health raw add --stream location
      """)

  @Option(
    help: .init("The stream: location, audio or healthkit, or its long name.", valueName: "name"))
  var stream: StreamArgument<CollectedStreams>

  @Option(
    name: .shortAndLong,
    help: .init("File to read; - is stdin, the default.", valueName: "file"), completion: .file())
  var input = "-"

  @OptionGroup var outbox: OutboxOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup(title: "Store") var collector: CollectorOptions
  @OptionGroup var settings: QueueSettings

  func validate() throws {
    guard StreamName.collected.contains(stream.stream) else {
      throw ValidationError(
        "payloads can't be added as entries; use s3health collect --queue --input FOLDER")
    }
  }

  func result() async throws(LedgerError) -> any CommandResult {
    let settings = try settings.settings()
    let device = try collector.collector(settings).deviceID.uuidString.lowercased()
    let outbox = try queued(try Outbox(try outbox.file(settings.store, deviceID: device)))
    var input = try EntryInput(input, of: stream.stream)
    let count =
      input.isFile ? try addWhole(&input, to: outbox) : try await add(&input, to: outbox)
    return Queued(stream: stream.stream, queued: count)
  }

  struct Queued: CommandResult, Encodable {
    let stream: StreamName
    let queued: Int

    func lines(_ terminal: Terminal) -> [String] {
      ["queued \(queued.counted("entry", "entries")) of \(stream.rawValue)"]
    }
  }

  /// Queues what comes through a pipe, in a commit for each piece that has come.
  private func add(
    _ input: inout EntryInput, to outbox: Outbox
  ) async throws(LedgerError) -> Int {
    var count = 0
    while let piece = input.next() {
      if !piece.entries.isEmpty {
        do throws(OutboxError) {
          try await outbox.add(piece.entries)
        } catch {
          throw Self.error(LedgerError(error), queuedBefore: count)
        }
        count += piece.entries.count
      }
      if let fault = piece.fault { throw Self.error(fault, queuedBefore: count) }
    }
    return count
  }

  /// Queues a whole file, in one commit.
  private func addWhole(
    _ input: inout EntryInput, to outbox: Outbox
  ) throws(LedgerError) -> Int {
    do throws(LedgerError) {
      return try outbox.addAll(LedgerError.init) { () throws(LedgerError) in
        guard let piece = input.next() else { return nil }
        if let fault = piece.fault { throw fault }
        return piece.entries
      }
    } catch {
      throw Self.error(error, queuedBefore: 0)
    }
  }

  private static func error(_ error: LedgerError, queuedBefore count: Int) -> LedgerError {
    var error = error
    let before =
      switch count {
      case 0: "nothing was"
      case 1: "the entry before it was"
      default: "the \(count.grouped) entries before it were"
      }
    error.message += "; \(before) queued"
    return error
  }
}
