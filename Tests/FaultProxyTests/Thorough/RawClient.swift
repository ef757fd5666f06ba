import Foundation
import Testing

@testable import FaultProxy

/// A client that says any bytes it likes.
final class RawClient: Sendable {
  private let socket: ClientSocket

  init(_ proxy: FaultProxy) throws {
    let port = try #require(URLComponents(string: proxy.endpoint)?.port)
    #if os(macOS)
      let number = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #else
      let number = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    socket = ClientSocket(number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
  }

  deinit { socket.close() }

  @discardableResult
  func say(_ text: String) -> Bool { socket.send(Array(text.utf8)) }

  func leave() { socket.close() }

  /// All that comes until the proxy closes; nil if it does not within the time.
  func rest(within time: Duration = .seconds(60)) async -> String? {
    await receive(until: .now + time) { _ in false }
  }

  /// What comes until the answer's head has ended, and no byte of what follows it.
  func head() async -> String? {
    await receive(until: .now + .seconds(60), pieces: 1) { $0.hasSuffix("\r\n\r\n") }
  }

  /// Waits on a thread of its own: a test must not hold up the tasks of others.
  private func receive(
    until deadline: ContinuousClock.Instant, pieces: Int = 1 << 16,
    _ isEnough: @escaping @Sendable (String) -> Bool
  ) async -> String? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [socket] in
        var text: [UInt8] = []
        while true {
          switch socket.receive(upTo: pieces, until: deadline) {
          case .bytes(let bytes): text += bytes
          case .ended:
            continuation.resume(returning: String(decoding: text, as: UTF8.self))
            return
          case .timedOut:
            continuation.resume(returning: nil)
            return
          }
          if pieces == 1, isEnough(String(decoding: text, as: UTF8.self)) {
            continuation.resume(returning: String(decoding: text, as: UTF8.self))
            return
          }
        }
      }
    }
  }
}
