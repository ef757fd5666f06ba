import Foundation

/// One line of a race process's journal, written before and after each of its actions.
///
/// The line is written before the request that it describes is sent. So a killed process has
/// recorded every write that it may have made.
package enum JournalEntry: Codable, Hashable, Sendable {
  /// A writer begins its `number`th publish.
  case began(client: Int, number: Int, at: Int)
  /// The create of a revision is about to be sent. Ids are as text.
  case sent(client: Int, id: String, digest: String, at: Int)
  /// A publish was acknowledged, after this many requests.
  case ended(client: Int, number: Int, id: String, outcome: String, requests: Int, at: Int)
  /// A publish failed and will be retried.
  case failed(client: Int, number: Int, requests: Int, message: String)
  /// A publish was abandoned.
  case gaveUp(client: Int, number: Int)
  /// A resolve or a read without an answer.
  case unanswered(message: String)
  /// Injected faults, counted by name.
  case struck([String: Int])
  /// An observation.
  case saw(RaceHistory.Event)
}

extension JournalEntry {
  /// The line, with its newline.
  package var line: [UInt8] {
    do {
      return [UInt8](try JSONEncoder().encode(self)) + [HistoryFile.newline]
    } catch {
      preconditionFailure("numbers and texts can be encoded: \(error)")
    }
  }

  /// Parses a line without its newline; nil if it is incomplete.
  package init?(_ line: ArraySlice<UInt8>) {
    guard let entry = try? JSONDecoder().decode(Self.self, from: Data(line)) else { return nil }
    self = entry
  }
}

/// In a journal an event is a line of a history.
extension RaceHistory.Event: Codable {
  package init(from decoder: any Decoder) throws {
    let line = try decoder.singleValueContainer().decode(String.self)
    self = try HistoryLine(Array(line.utf8)[...], number: 0).event()
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(decoding: HistoryFile.encode(self), as: UTF8.self))
  }
}
