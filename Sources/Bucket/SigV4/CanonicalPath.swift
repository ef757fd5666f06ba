import HTTPClient

/// The canonical URI, the second line of a canonical request.
enum CanonicalPath {
  static func append(_ path: String, style: SigV4Signer.PathStyle, to bytes: inout [UInt8]) {
    switch style {
    case .s3, .generic(normalizes: false):
      PercentCoding.append(path.isEmpty ? "/" : path, keepingSlashes: true, to: &bytes)
    case .generic(normalizes: true):
      PercentCoding.append(normalize(path), keepingSlashes: true, to: &bytes)
    }
  }

  /// Removes empty and `.` segments and resolves `..` (RFC 3986, 5.2.4), keeping a final slash.
  static func normalize(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for segment in segments where !segment.isEmpty && segment != "." {
      if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
    }
    let endsInFolder = segments.last.map { $0.isEmpty || $0 == "." || $0 == ".." } ?? false
    return "/" + kept.joined(separator: "/") + (endsInFolder && !kept.isEmpty ? "/" : "")
  }
}
