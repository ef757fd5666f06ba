/// Bodies that tell by themselves whether they are whole: what a reader expects is a function of
/// the first line.
package enum MarkedBody {
  /// A body of up to 12,000 bytes that begins with `mark` and a line break.
  package static func make(_ mark: String) -> [UInt8] {
    var hash: UInt32 = 2_166_136_261
    for byte in mark.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let line = Array("\(mark)\n".utf8)
    let count = 1 + Int(hash >> 8) % (12_000 / line.count)
    var body: [UInt8] = []
    for _ in 0..<count { body += line }
    return body
  }

  /// The mark of a whole body; nil for one that is torn, mixed or foreign.
  package static func mark(of body: [UInt8]) -> String? {
    guard let end = body.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let mark = String(decoding: body[..<end], as: UTF8.self)
    return body == make(mark) ? mark : nil
  }
}
