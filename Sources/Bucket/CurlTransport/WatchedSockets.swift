import CCurl

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
