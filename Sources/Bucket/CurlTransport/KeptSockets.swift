import CCurl
import HTTPClient

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
