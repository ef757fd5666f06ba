#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  extension SessionDelegate {
    /// A 401 that names a scheme, such as `Basic`, is an answer like any other: credentials are in the
    /// request, or there are none. Foundation on Linux would wait for ever for an answer to the
    /// challenge. The response has arrived in full when it asks.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      urlSession(session, task: task, didCompleteWithError: nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  }
#endif
