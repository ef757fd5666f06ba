import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#else
  import Security
#endif

/// Takes the callbacks of a transport's sessions to the exchanges that they are of.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
  private struct Place: Hashable {
    let session: ObjectIdentifier
    let task: Int
  }

  private let exchanges = Mutex<[Place: Exchange]>([:])
  private let caBundle: String?

  init(caBundle: String?) { self.caBundle = caBundle }

  func add(_ exchange: Exchange, for task: URLSessionTask, of session: URLSession) {
    exchanges.withLock { $0[Self.place(session, task)] = exchange }
  }

  private static func place(_ session: URLSession, _ task: URLSessionTask) -> Place {
    Place(session: ObjectIdentifier(session), task: task.taskIdentifier)
  }

  private func exchange(_ session: URLSession, _ task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[Self.place(session, task)] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(session, dataTask)?.received(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(session, dataTask)?.received(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    if bytesSent == totalBytesSent { exchange(session, task)?.sentBody() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    exchanges.withLock { $0.removeValue(forKey: Self.place(session, task)) }?.ended(task, error)
  }

  /// No redirect is followed: the answer is the redirect.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask,
    willCacheResponse proposedResponse: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) { completionHandler(nil) }

  #if !canImport(FoundationNetworking)
    /// With a file of certificate authorities, those replace the system's.
    func urlSession(
      _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard let caBundle, let trust = challenge.protectionSpace.serverTrust else {
        return completionHandler(.performDefaultHandling, nil)
      }
      guard let anchors = Self.certificates(caBundle), !anchors.isEmpty,
        SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
        SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess,
        SecTrustEvaluateWithError(trust, nil)
      else { return completionHandler(.cancelAuthenticationChallenge, nil) }
      completionHandler(.useCredential, URLCredential(trust: trust))
    }

    /// The certificates of a PEM file; nil if one can't be read.
    private static func certificates(_ path: String) -> [SecCertificate]? {
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
      var certificates: [SecCertificate] = []
      for part in text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst() {
        guard let end = part.range(of: "-----END CERTIFICATE-----"),
          let data = Data(
            base64Encoded: String(part[..<end.lowerBound]), options: .ignoreUnknownCharacters),
          let certificate = SecCertificateCreateWithData(nil, data as CFData)
        else { return nil }
        certificates.append(certificate)
      }
      return certificates
    }
  #endif
}

#if canImport(FoundationNetworking)
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
