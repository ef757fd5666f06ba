import CCurl
import HTTPMessage

/// The sockets of the connections that libcurl keeps, to look at before one is used again.
///
/// A server ends an idle connection when it likes. libcurl sees a closed socket; over TLS the
/// server's farewell comes first, and up to 7.88 any byte that waits to be read passes for life.
/// A request that may be sent only once would die there with its outcome unknown.
///
/// Not `Sendable`: the loop's thread has it.
final class KeptSockets {
  private var socketOfPort: [Int: curl_socket_t] = [:]

  /// Takes the connection of a finished transfer.
  ///
  /// Not in HTTP/2, where there may always be something to read.
  func note(_ transfer: Transfer) {
    guard let handle = transfer.handle, transfer.head.isComplete, !transfer.head.isMultiplexed
    else { return }
    let socket = s3h_get_kept_socket(handle)
    socketOfPort[s3h_get_long(handle, CURLINFO_LOCAL_PORT)] = socket < 0 ? nil : socket
  }

  /// Whether there is something to read on a connection on which nothing was asked.
  ///
  /// The ports say whether the socket is still that connection's.
  func hasInput(localPort: CInt, remotePort: CInt) -> Bool {
    guard let socket = socketOfPort[Int(localPort)] else { return false }
    return s3h_has_input(socket, localPort, remotePort) != 0
  }
}
