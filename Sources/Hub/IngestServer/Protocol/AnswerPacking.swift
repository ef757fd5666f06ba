import HTTPTypes
import HealthStreams

/// Packs the pages and files of people with gzip where their browser takes it (R59).
///
/// The length of what is packed tells who listens on the network how much of it repeats. Who may also
/// choose a part of it can guess a secret beside that part, letter by letter (BREACH). So:
///
/// - only what its route lets be packed is: pages, of which a visitor chooses no more than a date, a
///   metric and a span that exist, and files. What takes text of others, such as the page that lets an
///   agent in, the answers to phones and to agents, and events, are never packed.
/// - the one secret in a page, the key of its forms, is another text each time (`MaskedKey`).
/// - no other site's page can ask for a page with the cookie, which is `SameSite=Strict`.
struct AnswerPacking {
  let compression: any BatchCompression

  /// Shorter ones fit in one packet as they are.
  private static let leastBytes = 1024

  /// An answer with the bytes and the fields that a client gets.
  ///
  /// - Parameter accepted: the values of `Accept-Encoding`.
  func answer(_ answer: Answer, to accepted: [String]) -> Answer {
    guard answer.mayBePacked else { return answer }
    var answer = answer
    // Also where it is not packed: another client of the same cache may take it so.
    answer.headers.append(HeaderField("Vary", "Accept-Encoding"))
    guard answer.body.count >= Self.leastBytes, Self.takesGzip(accepted),
      let packed = try? compression.gzip([answer.body[...]])
    else { return answer }
    answer.body = packed
    answer.headers.append(HeaderField("Content-Encoding", "gzip"))
    return answer
  }

  /// Whether a client takes gzip (RFC 9110, 12.5.3): what it says of gzip counts before what it says of
  /// any other (`*`). Pure.
  static func takesGzip(_ accepted: [String]) -> Bool {
    var any = false
    for choice in accepted.flatMap({ $0.lowercased().split(separator: ",") }).prefix(32) {
      let parts = choice.split(separator: ";").map { part in
        String(part.filter { $0 != " " && $0 != "\t" })
      }
      guard let name = parts.first else { continue }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
      let isTaken = quality.map { (Double($0) ?? 0) > 0 } ?? true
      if name == "gzip" || name == "x-gzip" { return isTaken }
      if name == "*" { any = isTaken }
    }
    return any
  }
}
