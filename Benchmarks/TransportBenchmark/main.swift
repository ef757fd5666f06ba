import Foundation
import HTTPTransport

// Measures the transport alone: `TransportBenchmark URL [requests] [PUT bytes]` against a server
// that does nothing (see ../NothingServer), at 1, 16 and 64 requests in flight.

/// User and system time of this process.
func cpuTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

func measure(
  _ transport: HTTPTransport, _ request: HTTPRequest, count: Int, concurrency: Int
) async throws {
  _ = try await transport.send(request)
  let (clock, cpu) = (ContinuousClock(), cpuTime())
  let wall = try await clock.measure {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<concurrency {
        group.addTask {
          for _ in stride(from: lane, to: count, by: concurrency) {
            let response = try await transport.send(request)
            guard response.status == 200 else {
              throw HTTPError(
                .internal, "status \(response.status)", mayHaveBeenApplied: true)
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
  let spent = cpuTime() - cpu
  func microseconds(_ duration: Duration) -> Int { Int(duration / .microseconds(1)) / count }
  print(
    """
    \(request.method.rawValue) in flight \(concurrency): \
    \(microseconds(wall)) us wall, \(microseconds(spent)) us CPU per request
    """)
}

let arguments = CommandLine.arguments
guard arguments.count > 1 else {
  print("usage: TransportBenchmark URL [requests] [PUT body bytes]")
  throw HTTPError(.invalidRequest, "no URL", mayHaveBeenApplied: false)
}
let count = arguments.count > 2 ? Int(arguments[2]) ?? 20_000 : 20_000
let bytes = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
let headers = [
  HTTPField("x-amz-date", "20260101T000000Z"),
  HTTPField("x-amz-content-sha256", String(repeating: "0", count: 64)),
  HTTPField("Authorization", "AWS4-HMAC-SHA256 " + String(repeating: "x", count: 180)),
]
let request =
  bytes > 0
  ? HTTPRequest(.put, arguments[1], headers: headers, body: .init(repeating: 120, count: bytes))
  : HTTPRequest(.get, arguments[1], headers: headers)
let transport = HTTPTransport()
for concurrency in [1, 16, 64] {
  try await measure(transport, request, count: count, concurrency: concurrency)
}
transport.shutdown()
