import CommandLineKit
import Foundation
import Synchronization

/// What Ctrl-C prints during a long command. The command then ends like any interrupted program.
///
/// Nothing is cleaned up: whatever a publish leaves behind at any moment is consistent (SPEC R20 to
/// R27). So ending immediately is as safe as a power cut, and faster.
final class InterruptionNotice: Sendable {
  typealias Sentence = @Sendable () -> String

  private let sentence: Mutex<Sentence>

  /// - Parameter first: what it prints until `say` is called.
  init(
    _ first: @escaping Sentence = { "interrupted while reading; nothing was published" }
  ) {
    sentence = Mutex(first)
  }

  /// From now on prints this sentence. It is composed only when it is printed: there is one after each day.
  func say(_ next: @escaping Sentence) { sentence.withLock { $0 = next } }

  /// Handles Ctrl-C until the program ends, unless the parent process ignores it.
  func listen(for signals: [Int32] = [SIGINT]) {
    EndSignals.listen(for: signals, unlessIgnored: Set(signals)) { [self] number, isFirst in
      // Only the first Ctrl-C prints the message.
      guard isFirst else { return }
      if Terminal.standardError().isTerminal { StandardStreams.overwrite("") }
      StandardStreams.note("s3health: \(sentence.withLock { $0() })")
      endBySignal(number)
    }
  }
}
