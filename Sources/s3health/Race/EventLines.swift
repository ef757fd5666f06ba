import CommandLineKit
import Foundation
import HealthModel
import RaceHarness

/// A few events of a history for people: who, what, and from when to when.
enum EventLines {
  /// Times count from the first event.
  static func lines(_ history: RaceHistory) -> [String] {
    guard let start = history.events.map(\.from).min() else { return [] }
    func time(_ moment: Int) -> String {
      guard history.isInNanoseconds else { return "\(moment - start)" }
      return (Double(moment - start) / 1e6).fixed(3) + " ms"
    }
    let rows = history.events.map { event in
      [
        event.client.printable, what(event.observation).printable, time(event.from),
        event.to.map { "to \(time($0))" } ?? "and never ended",
      ]
    }
    let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let from = String(repeating: " ", count: widths[2] - row[2].count) + row[2]
      return "  \(row[0].padded(to: widths[0]))  \(row[1].padded(to: widths[1]))  \(from) \(row[3])"
    }
  }

  private static func what(_ observation: RaceHistory.Observation) -> String {
    switch observation {
    case .write(let id, _, let requests?, _): "publishes \(id) (\(requests) requests)"
    case .write(let id, _, nil, _): "publishes \(id)"
    case .read(let id): "resolves the day to \(id.map(\.rawValue) ?? "nothing")"
    case .pointer(.absent): "finds no latest.json"
    case .pointer(.corrupt): "finds latest.json corrupt"
    case .pointer(.names(let id)): "finds latest.json naming \(id)"
    case .revision(let id, nil): "finds no revision \(id)"
    case .revision(let id, let digest?): "reads revision \(id), SHA-256 \(digest.prefix(8))…"
    }
  }
}
