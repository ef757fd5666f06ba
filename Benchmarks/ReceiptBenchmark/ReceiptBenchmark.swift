import Digests
import Foundation
import HealthModel
import HealthStreams
import IngestServer

/// Measures what a server does with the body of a batch of 1,000 samples: reading it where it stands,
/// or entry by entry, like all other bodies, then sealing and packing it (R46).
///
///     swift run -c release ReceiptBenchmark
@main
struct ReceiptBenchmark {
  static func main() throws {
    let bodies = try (0..<4).map(body)
    var received: [SealedBatch] = []
    let scanned = try milliseconds {
      for body in bodies { _ = try ReceivedBatch(parsing: body) }
    }
    let general = try milliseconds {
      for body in bodies { _ = try IngestRequest(parsing: body) }
    }
    let all = try milliseconds {
      received = try bodies.map {
        try ReceivedBatch(parsing: $0).sealed(session: "s", digest: SHA256.hex)
      }
    }
    let packed = try milliseconds {
      for batch in received { _ = try HubCompression().gzip([batch.body[...]]) }
    }
    print("CPU ms a batch of 1,000 samples and \(bodies[0].count) bytes")
    for (name, figure) in [
      ("read where it stands", scanned), ("read entry by entry", general),
      ("sealed", all - scanned), ("packed", packed),
    ] {
      print("\(name): \(text(figure))")
    }
    print("all, entry by entry: \(text((all - scanned + general + packed) / (all + packed))) times")
  }

  private static func text(_ number: Double) -> String { String(Double(Int(number * 100)) / 100) }

  /// The body that a phone posts, with members in its own order.
  private static func body(_ number: Int) throws -> [UInt8] {
    let entries = (0..<1000).map { place in
      let start = Timestamp(secondsSince1970: 1_800_000_000 + number * 86_400 + place * 80)
      return """
        {"uuid": "\(UUID().uuidString.lowercased())", \
        "sample_type": "HKQuantityTypeIdentifierHeartRate", "unit": "count/min", \
        "value": \(50 + place % 100).5, "timestamp": "\(start)", \
        "end_timestamp": "\(start.adding(seconds: 5))", "source": "Watch", "hardware": "Watch6,2"}
        """
    }
    return Array(
      """
      {"stream_name": "apple_ios_healthkit", "device_id": "6f2c1c0e-9f3a-4f0b-8a51-0d9b6a3c7e11", \
      "data": [\(entries.joined(separator: ", "))], \
      "batch_metadata": {"total_records": 1000, "app_version": "1", "session": "\(number)"}}
      """.utf8)
  }

  /// CPU milliseconds of one of four bodies: the least of 40 rounds.
  private static func milliseconds(_ round: () throws -> Void) rethrows -> Double {
    var least = Double.infinity
    for _ in 0..<40 {
      let begun = clock()
      try round()
      least = min(least, Double(clock() - begun) * 1000 / Double(CLOCKS_PER_SEC) / 4)
    }
    return least
  }
}
