import Foundation
import Synchronization

/// A client's connection: blocking calls with deadlines.
///
/// One thread reads, writes and closes it. Any other thread may interrupt it.
final class ClientSocket: Sendable {
  enum Received {
    case bytes([UInt8])
    /// The client has closed, or the connection broke.
    case ended
    case timedOut
  }

  private let number: Int32
  private let isOpen = Mutex(true)

  /// Owns the descriptor from now on.
  init(_ number: Int32) {
    self.number = number
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
    #if canImport(Darwin)
      setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &yes, size)
    #endif
    // A client that does not read must not occupy a thread forever.
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(
      number, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  func receive(upTo count: Int, until deadline: ContinuousClock.Instant) -> Received {
    while true {
      var poller = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      let left = max(.zero, ContinuousClock.now.duration(to: deadline)) / .milliseconds(1)
      let ready = poll(&poller, 1, Int32(min(left.rounded(.up), 60_000)))
      if ready < 0, errno == EINTR { continue }
      if ready < 0 { return .ended }
      if ready == 0 {
        if ContinuousClock.now < deadline { continue }
        return .timedOut
      }
      let room = min(count, 1 << 16)
      let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
        filled = max(0, recv(number, buffer.baseAddress, room, 0))
      }
      return bytes.isEmpty ? .ended : .bytes(bytes)
    }
  }

  /// Sends everything. Returns false if the client has gone or does not read.
  func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let count = Foundation.send(
          number, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, Self.noSignal)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  /// Whether the client has closed its side. Unread input hides this.
  var clientHasLeft: Bool {
    var byte: UInt8 = 0
    let count = recv(number, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    if count > 0 { return false }
    return count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
  }

  /// Closes normally or with a reset.
  func close(resetting: Bool = false) {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      isOpen = false
      if resetting {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(number, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
      } else {
        // Ends the connection even if a program that was just being started has a copy of the
        // descriptor.
        _ = shutdown(number, Int32(SHUT_RDWR))
      }
      _ = Foundation.close(number)
    }
  }

  /// Interrupts the connection's own thread.
  func interrupt() {
    isOpen.withLock { isOpen in
      // Under the lock, because the number of a closed descriptor may already be reused.
      if isOpen { _ = shutdown(number, Int32(SHUT_RDWR)) }
    }
  }

  #if canImport(Darwin)
    private static let noSignal: Int32 = 0
  #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif
}
