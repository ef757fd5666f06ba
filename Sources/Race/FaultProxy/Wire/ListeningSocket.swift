import Foundation
import Synchronization

/// A port of 127.0.0.1 that the system chose, with a way to stop waiting for clients.
final class ListeningSocket: Sendable {
  let port: Int
  private let number: Int32
  /// Both ends of a pipe: a byte in it ends the wait.
  private let bell: (read: Int32, write: Int32)

  init() throws(FaultProxyError) {
    let number = socket(AF_INET, Self.stream, 0)
    guard number >= 0 else { throw FaultProxyError(system: "no socket to listen on") }
    var ends: [Int32] = [-1, -1]
    guard let port = Self.listen(number), pipe(&ends) == 0 else {
      let error = FaultProxyError(system: "no port of 127.0.0.1 to listen on")
      close(number)
      throw error
    }
    for descriptor in [number] + ends { Self.keep(descriptor) }
    self.number = number
    self.port = port
    bell = (ends[0], ends[1])
  }

  deinit {
    close(number)
    close(bell.read)
    close(bell.write)
  }

  /// The next client; nil after `ring` was called.
  func next() -> ClientSocket? {
    while true {
      var pollers = [
        pollfd(fd: number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&pollers, 2, -1) > 0 else { continue }
      if pollers[1].revents != 0 { return nil }
      let client = accept(number, nil, nil)
      guard client >= 0 else {
        // Out of descriptors, or the client has already gone: neither ends the proxy.
        usleep(10_000)
        continue
      }
      Self.keep(client)
      return ClientSocket(client)
    }
  }

  func ring() {
    var byte: UInt8 = 0
    _ = write(bell.write, &byte, 1)
  }

  /// Binds and listens. Returns the port.
  private static func listen(_ number: Int32) -> Int? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    // Loopback only: anyone who reaches the proxy could use it to reach the server.
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, size) == 0 }
    }
    guard isBound, Foundation.listen(number, 256) == 0 else { return nil }
    let isNamed = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) == 0 }
    }
    return isNamed ? Int(UInt16(bigEndian: address.sin_port)) : nil
  }

  /// Prevents programs that are started later from inheriting a descriptor, which would stay open
  /// there.
  private static func keep(_ number: Int32) { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }

  #if canImport(Darwin)
    private static let stream = SOCK_STREAM
  #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #endif
}

/// Why a proxy could not start, or why its faults are not valid.
package struct FaultProxyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One clause without secrets.
  package let description: String

  init(_ description: String) { self.description = description }

  init(system what: String) {
    description = "\(what): \(String(cString: strerror(errno)))"
  }
}
