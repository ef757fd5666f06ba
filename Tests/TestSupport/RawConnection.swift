import Foundation

/// A TCP connection to loopback that sends bytes as they are given, for requests that no client
/// would send.
package final class RawConnection: @unchecked Sendable {  // used by one test, in its order
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  #if os(Linux)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    private static let noSignal: Int32 = 0
  #endif
  private let descriptor: Int32
  private var received: [UInt8] = []

  package init(port: Int) throws {
    #if os(Linux)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(description: "no connection to port \(port): \(errno)") }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Sends everything, or less if the other side has closed or does not read for ten seconds.
  ///
  /// - Returns: how many bytes the kernel took.
  @discardableResult
  package func send(_ bytes: [UInt8]) async throws -> Int {
    var sent = 0
    var waits = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.send(
          descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Self.noSignal)
      }
      if count > 0 {
        sent += count
        waits = 0
      } else if errno == EAGAIN, waits < 1000 {
        waits += 1
        try await Task.sleep(for: .milliseconds(10))
      } else {
        break
      }
    }
    return sent
  }

  @discardableResult
  package func send(_ text: String) async throws -> Int { try await send(Array(text.utf8)) }

  /// Everything until the other side closes, or until `isEnough`.
  ///
  /// - Returns: what was read, and whether the other side has closed.
  package func read(
    until isEnough: (String) -> Bool = { _ in false }
  ) async throws -> (text: String, isClosed: Bool) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    for _ in 0..<3000 {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        received += buffer[..<count]
        if isEnough(String(decoding: received, as: UTF8.self)) { break }
      } else if count == 0 || errno != EAGAIN {
        return (String(decoding: received, as: UTF8.self), true)
      } else {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    return (String(decoding: received, as: UTF8.self), false)
  }
}
