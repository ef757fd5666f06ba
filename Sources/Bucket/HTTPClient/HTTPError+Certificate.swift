extension HTTPError {
  /// What to do where this machine's clock is outside the dates of the server's certificate; nil for any
  /// other failure. An authority would not help.
  package var adviceOnCertificateDates: String? {
    code == .tlsFailed ? Self.adviceOnCertificateDates(message) : nil
  }

  /// The same, by the words of OpenSSL, GnuTLS and `URLSessionTransport`.
  package static func adviceOnCertificateDates(_ message: String) -> String? {
    func says(_ words: [String]) -> Bool { words.contains { message.firstRange(of: $0) != nil } }
    if says(["certificate is not yet valid", "certificate not activated"]) {
      return "set the clock of this machine"
    }
    if says(["certificate has expired", "certificate expiration date has passed"]) {
      return """
        set the clock of this machine if it is wrong; otherwise the server needs a new certificate
        """
    }
    return nil
  }
}
