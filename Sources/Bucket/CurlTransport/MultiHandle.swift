import CCurl
import HTTPClient

/// libcurl's multi handle, driven by socket events: an answer costs only the work on its own
/// transfer, however many others there are.
///
/// Not `Sendable`: it belongs to one thread. libcurl calls back only during the calls made here.
final class MultiHandle {
  private let curl: UnsafeMutableRawPointer
  fileprivate var sockets: WatchedSockets
  /// When libcurl wants to be called even if no socket is ready.
  fileprivate var timer: ContinuousClock.Instant?

  init?(_ configuration: TransportConfiguration, bell: s3h_bell) {
    guard let curl = curl_multi_init() else { return nil }
    self.curl = curl
    sockets = WatchedSockets(bell)
    // While a connection is being opened it may need four descriptors: for resolving its name, and
    // for two addresses at once. Requests beyond the process's limit wait for a connection, like
    // those beyond the maximum.
    let affordable = (s3h_descriptors_left(bell) - Self.descriptorsForOthers) / 4
    let most = max(1, min(configuration.maximumConnections, affordable))
    _ = s3h_multi_set_long(curl, CURLMOPT_MAX_TOTAL_CONNECTIONS, most)
    _ = s3h_multi_set_long(
      curl, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.maximumConnectionsPerHost ?? 0)
    _ = s3h_multi_set_long(curl, CURLMOPT_MAXCONNECTS, most)
    let owner = Unmanaged.passUnretained(self).toOpaque()
    guard s3h_multi_set_callbacks(curl, watchSocket, setTimer, owner) == CURLM_OK else {
      curl_multi_cleanup(curl)
      return nil
    }
  }

  /// Descriptors reserved for files and timers if they are scarce.
  private static let descriptorsForOthers = 16

  /// Closes all connections. There must be no transfers left.
  func free() { curl_multi_cleanup(curl) }

  /// Adds a transfer, which begins with the next `runDueTimer`.
  func add(_ easy: EasyHandle) -> Bool { curl_multi_add_handle(curl, easy.curl) == CURLM_OK }

  /// Removes a transfer. If it is unfinished, its connection is closed.
  func remove(_ easy: EasyHandle) { curl_multi_remove_handle(curl, easy.curl) }

  /// Lets libcurl do its due work, such as starting new transfers. Returns false if that failed.
  func runDueTimer(_ now: ContinuousClock.Instant) -> Bool {
    guard let due = timer, due <= now else { return true }
    // libcurl sets the next one during this call.
    timer = nil
    return act(s3h_socket_timeout, 0)
  }

  /// Waits, at most until libcurl's timer, until a socket is ready or the bell rings, and lets
  /// libcurl handle the ready sockets. Returns false if that failed.
  func wait(until deadline: ContinuousClock.Instant, from now: ContinuousClock.Instant) -> Bool {
    let end = min(deadline, timer ?? deadline)
    let patience = end <= now ? 0 : CInt(min(now.duration(to: end).milliseconds, 60_000))
    for ready in sockets.wait(milliseconds: patience) where sockets.isWatched(ready.socket) {
      guard act(ready.socket, ready.bits) else { return false }
    }
    return true
  }

  /// The handle and the result of a finished transfer; nil if there are no more.
  func nextDone() -> (curl: UnsafeMutableRawPointer, result: CURLcode)? {
    var easy: UnsafeMutableRawPointer?
    var result = CURLE_OK
    guard s3h_multi_next_done(curl, &easy, &result) != 0 else { return nil }
    return easy.map { ($0, result) }
  }

  private func act(_ socket: curl_socket_t, _ bits: CInt) -> Bool {
    var running: CInt = 0
    return curl_multi_socket_action(curl, socket, bits, &running) == CURLM_OK
  }
}

// File-scope functions, for the same reason as in TransferCallbacks.swift.

/// libcurl asks to watch a socket.
private func watchSocket(
  _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: CInt,
  _ owner: UnsafeMutableRawPointer?,
  _ own: UnsafeMutableRawPointer?
) -> CInt {
  if let owner {
    Unmanaged<MultiHandle>.fromOpaque(owner).takeUnretainedValue().sockets
      .watch(socket, for: what)
  }
  return 0
}

/// libcurl asks to be called after a time; a negative time means never.
private func setTimer(
  _ curl: UnsafeMutableRawPointer?, _ milliseconds: Int, _ owner: UnsafeMutableRawPointer?
) -> CInt {
  if let owner {
    Unmanaged<MultiHandle>.fromOpaque(owner).takeUnretainedValue().timer =
      milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
  }
  return 0
}

/// The sockets that libcurl watches, and the bell with which other threads end the wait.
struct WatchedSockets {
  /// A socket that is ready.
  struct Ready {
    let socket: CInt
    /// `CURL_CSELECT_*`.
    let bits: CInt
  }

  private let bell: s3h_bell
  /// The bell first, then the sockets in any order. They are so few that a search costs less than a
  /// table.
  private var watches: [s3h_watch]
  private var found: [Ready] = []

  init(_ bell: s3h_bell) {
    self.bell = bell
    watches = [
      s3h_watch(descriptor: bell.reader, wanted: s3h_poll_events(CURL_POLL_IN), found: 0)
    ]
  }

  /// Watches a socket for `what`, one of `CURL_POLL_*`, or stops watching it.
  mutating func watch(_ socket: CInt, for what: CInt) {
    let place = place(of: socket)
    if what == CURL_POLL_REMOVE {
      guard let place, let last = watches.popLast(), place < watches.count else { return }
      watches[place] = last
    } else if let place {
      watches[place].wanted = s3h_poll_events(what)
    } else {
      watches.append(s3h_watch(descriptor: socket, wanted: s3h_poll_events(what), found: 0))
    }
  }

  func isWatched(_ socket: CInt) -> Bool { place(of: socket) != nil }

  /// Waits until a socket is ready, the bell rings or the time is over. Resets the bell.
  mutating func wait(milliseconds: CInt) -> [Ready] {
    found.removeAll(keepingCapacity: true)
    var left = watches.withUnsafeMutableBufferPointer { watches in
      watches.baseAddress.map { s3h_wait($0, watches.count, milliseconds) } ?? 0
    }
    for watch in watches where watch.found != 0 {
      guard left > 0 else { break }
      left -= 1
      if watch.descriptor == bell.reader {
        s3h_bell_hush(bell)
      } else {
        found.append(Ready(socket: watch.descriptor, bits: s3h_select_bits(watch.found)))
      }
    }
    return found
  }

  private func place(of socket: CInt) -> Int? {
    watches.indices.dropFirst().first { watches[$0].descriptor == socket }
  }
}

/// The sockets of the connections that libcurl keeps, for checking them before they are reused.
///
/// A server may close an idle connection at any time. libcurl notices a closed socket. But over TLS
/// the server's closing message arrives first, and up to version 7.88 libcurl takes any unread byte
/// for a sign of life. A request that may be sent only once would be lost there with an unknown
/// outcome.
///
/// Not `Sendable`: it belongs to the loop's thread.
final class KeptSockets {
  private var socketOfPort: [Int: curl_socket_t] = [:]

  /// Adds the connection of a finished transfer.
  ///
  /// Not for HTTP/2, where there may always be something to read.
  func note(_ transfer: Transfer) {
    guard let handle = transfer.handle, transfer.head.isComplete, !transfer.head.isMultiplexed
    else { return }
    let socket = s3h_get_kept_socket(handle)
    socketOfPort[s3h_get_long(handle, CURLINFO_LOCAL_PORT)] = socket < 0 ? nil : socket
  }

  /// Whether there is unread input on a connection without a request.
  ///
  /// The ports show whether the socket still is that connection's.
  func hasInput(localPort: CInt, remotePort: CInt) -> Bool {
    guard let socket = socketOfPort[Int(localPort)] else { return false }
    return s3h_has_input(socket, localPort, remotePort) != 0
  }
}
