import CCurl

/// libcurl's multi handle, driven by what happens on its sockets: one answer costs the work on one
/// transfer, however many are under way.
///
/// Not `Sendable`: one thread has it. libcurl calls back only from within the calls made here.
final class MultiHandle {
  private let curl: UnsafeMutableRawPointer
  fileprivate var sockets: WatchedSockets
  /// When libcurl wants to be called though no socket is ready.
  fileprivate var timer: ContinuousClock.Instant?

  init?(_ configuration: HTTPTransport.Configuration, bell: s3h_bell) {
    guard let curl = curl_multi_init() else { return nil }
    self.curl = curl
    sockets = WatchedSockets(bell)
    // While it is made, a connection may take four: for its name, and for two addresses at once.
    // Requests beyond what the process may open wait for a connection, as beyond the maximum.
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

  /// Left to files and timers where descriptors are scarce.
  private static let descriptorsForOthers = 16

  /// Closes all connections; no transfer may be in it any more.
  func free() { curl_multi_cleanup(curl) }

  /// Takes a transfer in, which begins with the next `runDueTimer`.
  func add(_ easy: EasyHandle) -> Bool { curl_multi_add_handle(curl, easy.curl) == CURLM_OK }

  /// Takes a transfer out, finished or not; an unfinished one's connection is closed.
  func remove(_ easy: EasyHandle) { curl_multi_remove_handle(curl, easy.curl) }

  /// Lets libcurl do what is due, such as the beginning of new transfers; false where it failed.
  func runDueTimer(_ now: ContinuousClock.Instant) -> Bool {
    guard let due = timer, due <= now else { return true }
    // libcurl sets the next one within this call.
    timer = nil
    return act(s3h_socket_timeout, 0)
  }

  /// Waits, no longer than libcurl's timer, until a socket is ready or the bell rings, and lets
  /// libcurl work on those that are; false where it failed.
  func wait(until deadline: ContinuousClock.Instant, from now: ContinuousClock.Instant) -> Bool {
    let end = min(deadline, timer ?? deadline)
    let patience = end <= now ? 0 : CInt(min(now.duration(to: end).milliseconds, 60_000))
    for ready in sockets.wait(milliseconds: patience) where sockets.isWatched(ready.socket) {
      guard act(ready.socket, ready.bits) else { return false }
    }
    return true
  }

  /// A finished transfer's handle and its result; nil when there is no more.
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

// File-scope functions, as in TransferCallbacks.swift.

/// libcurl's wish to have a socket watched.
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

/// libcurl's wish to be called after a time; below 0 for never.
private func setTimer(
  _ curl: UnsafeMutableRawPointer?, _ milliseconds: Int, _ owner: UnsafeMutableRawPointer?
) -> CInt {
  if let owner {
    Unmanaged<MultiHandle>.fromOpaque(owner).takeUnretainedValue().timer =
      milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
  }
  return 0
}
