import CCurl
import Synchronization

/// libcurl's global state, initialised with the first request because it takes milliseconds.
enum CurlLibrary {
  /// The result of the one `curl_global_init`.
  static let ready: CURLcode = {
    let result = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    // Exit handlers run last in, first out, so the threads end before OpenSSL frees what they use.
    return s3h_at_exit(stopAllLoops) == 0 ? result : CURLE_FAILED_INIT
  }()

  static let running = Mutex<[ObjectIdentifier: TransferLoop]>([:])
}

/// Ends every loop that is still running when the process exits.
private func stopAllLoops() {
  for loop in CurlLibrary.running.withLock({ Array($0.values) }) { loop.stop() }
}
