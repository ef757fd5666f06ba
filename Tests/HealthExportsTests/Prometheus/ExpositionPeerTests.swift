import Foundation
import StoreTesting
import TestSupport
import Testing

@testable import HealthExports

/// What we write, as prometheus_client reads it.
@Suite(.process) struct ExpositionPeerTests {
  private struct Family: Decodable {
    struct Sample: Decodable {
      let name: String
      let labels: [String: String]
      let value: Double
    }
    let name: String
    let type: String
    let help: String
    let samples: [Sample]
  }

  /// Any text: quotes, backslashes, ends of lines, emoji, braces and what looks like a sample.
  private func text(_ random: inout SplitMix64) -> String {
    let pieces = [
      "\"", "\\", "\n", "\\n", "\r", " ", "  ", "{", "}", ",", "=", "#", "\t", "é", "📱", "\u{1F}",
      "\u{2028}", "\u{FEFF}", "a", "Z", "0", "le=\"1\"", "} 1\n", "# HELP x y", "\u{10FFFF}", "\0",
      "e\u{301}", "\u{85}", "\u{7F}",
    ]
    return (0..<Int.random(in: 0...12, using: &random)).map { _ in
      pieces[Int.random(in: 0..<pieces.count, using: &random)]
    }.joined()
  }

  @Test func `R57: thousands of label values come out of prometheus_client byte for byte`()
    async throws
  {
    var random = SplitMix64(seed: 4)
    var values: [String] = []
    let families = (0..<40).map { number in
      MetricFamily(
        "f\(number)", number.isMultiple(of: 2) ? .gauge : .untyped,
        help: "help \"\(number)\" \\ of\nlines",
        (0..<100).map { index in
          values.append(text(&random))
          return MetricSample(
            labels: [
              MetricLabel("n", "\(index)"), MetricLabel("value", values[values.count - 1]),
            ], value: Double.random(in: -1e9...1e9, using: &random))
        })
    }
    let output = try await PeerPython.run(
      "exposition.py", input: Array(PrometheusText.text(families).utf8))
    let read = try JSONDecoder().decode([Family].self, from: Data(output))
    #expect(read.map(\.name) == families.map(\.name))
    #expect(read.allSatisfy { $0.type == "gauge" || $0.type == "unknown" })
    #expect(read.first?.help == "help \"0\" \\ of\nlines")
    var next = values.makeIterator()
    for (family, written) in zip(read, families) {
      #expect(family.samples.count == 100)
      for (sample, own) in zip(family.samples, written.samples) {
        let value = next.next()
        #expect(
          sample.labels["value"].map { Array($0.utf8) } == value.map { Array($0.utf8) },
          "\(value.debugDescription)")
        #expect(sample.value == own.value)
      }
    }
  }
}
