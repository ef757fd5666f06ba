import AWSCredentials
import CurlTransport
import Foundation
import HTTPClient
import ObjectStore
import S3Store
import SigV4

// What one small request costs this process, through the transport alone and through the whole S3
// client, against a server that does nothing (../NothingServer):
//
//     RequestBenchmark http://127.0.0.1:PORT [requests]

/// User and system time of this process.
func cpuTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

func measure(
  _ name: String, count: Int, concurrency: Int,
  _ send: @escaping @Sendable (Int) async throws -> Void
) async throws {
  try await send(count)
  let (clock, cpu) = (ContinuousClock(), cpuTime())
  let wall = try await clock.measure {
    // On the transport's own thread, as the commands run.
    try await withTaskExecutorPreference(transport.executor) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for lane in 0..<concurrency {
          group.addTask {
            for index in stride(from: lane, to: count, by: concurrency) { try await send(index) }
          }
        }
        try await group.waitForAll()
      }
    }
  }
  let spent = cpuTime() - cpu
  func microseconds(_ duration: Duration) -> Int { Int(duration / .microseconds(1)) / count }
  print("| \(name) | \(concurrency) | \(microseconds(spent)) | \(microseconds(wall)) |")
}

struct UnexpectedAnswer: Error {}

let arguments = CommandLine.arguments
guard arguments.count > 1 else {
  print("usage: RequestBenchmark http://127.0.0.1:PORT [requests]")
  throw UnexpectedAnswer()
}
let count = arguments.count > 2 ? Int(arguments[2]) ?? 20_000 : 20_000
let body = [UInt8](repeating: 120, count: 900)
let transport = CurlTransport()
let url = arguments[1] + "/bucket/key"
let store = S3Store(
  try S3Configuration.resolve(
    url: "s3://bucket", settings: settings(endpoint: arguments[1]),
    environment: try AWSEnvironment.read(variables: [:], homeDirectory: "/nonexistent")),
  credentials: StaticCredentials(
    SigningCredentials(accessKeyID: "BENCHMARK", secretAccessKey: "benchmark")),
  transport: transport)

func settings(endpoint: String) -> S3Settings {
  var settings = S3Settings()
  settings[.endpointURL] = Sourced(endpoint, by: "the first argument")
  return settings
}

print("| request | in flight | CPU, us | wall, us |")
print("|---|---:|---:|---:|")
for concurrency in [1, 16, 64] {
  try await measure("transport GET", count: count, concurrency: concurrency) { _ in
    guard try await transport.send(HTTPRequest(.get, url)).status == 200 else {
      throw UnexpectedAnswer()
    }
  }
  try await measure("transport PUT", count: count, concurrency: concurrency) { _ in
    guard try await transport.send(HTTPRequest(.put, url, body: body)).status == 200 else {
      throw UnexpectedAnswer()
    }
  }
  try await measure("S3 GET", count: count, concurrency: concurrency) { index in
    guard let key = ObjectKey("day/\(index).json"), try await store.get(key, limit: 65_536) != nil
    else { throw UnexpectedAnswer() }
  }
  try await measure("S3 PUT", count: count, concurrency: concurrency) { index in
    guard let key = ObjectKey("day/\(index).json"),
      case .stored = try await store.put(key, body, if: .absent)
    else { throw UnexpectedAnswer() }
  }
}
transport.shutdown()
