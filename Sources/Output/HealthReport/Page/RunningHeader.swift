import ContentDigests

/// What stands above each printed page but the first: of when the data is, and whose, if that was
/// given.
///
/// Browsers print it from the style sheet, so it is a sheet of its own with a hash of its own. Every
/// character but a few is written as its number: text can't become a rule or end the element.
struct RunningHeader {
  let sheet: String

  /// - Parameter person: nil where nothing of the person is to be said.
  init(_ extent: String, person: String?) {
    var boxes = "@top-left{content:\(Self.quoted("Health data, \(extent)"))}"
    if let person { boxes += "@top-right{content:\(Self.quoted(person.bounded(to: 90)))}" }
    sheet = "@page{\(boxes)}" + Self.first
  }

  /// The first page begins with the same words, larger.
  private static let first = "@page :first{@top-left{content:none}@top-right{content:none}}"

  /// What the page's Content-Security-Policy allows beside the sheet that every page has.
  var hash: String {
    var digest = ContentDigest()
    digest.update(Array(sheet.utf8))
    return "sha256-\(Base64.encode(digest.finish()))"
  }

  private static func quoted(_ text: String) -> String {
    let letters = text.visible.unicodeScalars.map { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", "-", ",", ".": return String(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        return "\\" + String(repeating: "0", count: 6 - digits.count) + digits
      }
    }
    return "\"\(letters.joined())\""
  }
}
