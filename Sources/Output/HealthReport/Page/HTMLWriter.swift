import HealthModel

/// Writes HTML such that only literals of the program become markup: names of elements and
/// attributes are static strings, and all other text is escaped on its way in.
package struct HTMLWriter {
  /// The page so far, in UTF-8.
  package private(set) var bytes: [UInt8] = []

  package typealias Attributes = KeyValuePairs<StaticString, String>

  package init() { literal("<!DOCTYPE html>\n") }

  /// A part of a page.
  private init(part: Void) {}

  /// What `content` writes, to be put into pages later.
  static func part(_ content: (inout HTMLWriter) -> Void) -> HTMLPart {
    var html = HTMLWriter(part: ())
    content(&html)
    return HTMLPart(bytes: html.bytes)
  }

  /// Puts a part in here.
  mutating func part(_ part: HTMLPart) { bytes.append(contentsOf: part.bytes) }

  /// An element with what `content` writes inside it.
  package mutating func element(
    _ name: StaticString, _ attributes: Attributes = [:], _ content: (inout HTMLWriter) -> Void
  ) {
    open(name, attributes)
    content(&self)
    close(name)
  }

  /// An element that holds text.
  package mutating func element(_ name: StaticString, _ attributes: Attributes = [:], text: String)
  {
    open(name, attributes)
    self.text(text)
    close(name)
  }

  /// An element of HTML that can hold nothing.
  package mutating func void(_ name: StaticString, _ attributes: Attributes) {
    open(name, attributes)
  }

  /// Text: markup and unseen characters in it are shown and not obeyed.
  package mutating func text(_ text: String) {
    // By scalars: a mark that combines with a `<` does not hide it.
    for scalar in text.visible.unicodeScalars {
      switch scalar {
      case "&": literal("&amp;")
      case "<": literal("&lt;")
      case ">": literal("&gt;")
      case "\"": literal("&quot;")
      case "'": literal("&#39;")
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
  }

  /// The styles of a report, as they stand in their file.
  mutating func reportStyles() {
    literal("<style>")
    bytes.append(contentsOf: PageFiles.reportStyles)
    literal("</style>")
  }

  /// The sheet of what stands above printed pages, which writes text as numbers.
  mutating func style(_ header: RunningHeader) {
    literal("<style>")
    bytes.append(contentsOf: header.sheet.utf8)
    literal("</style>")
  }

  /// A new line of source, so that a long page stays readable.
  package mutating func newline() { literal("\n") }

  private mutating func open(_ name: StaticString, _ attributes: Attributes) {
    literal("<")
    literal(name)
    for (attribute, value) in attributes {
      literal(" ")
      literal(attribute)
      literal("=\"")
      text(value)
      literal("\"")
    }
    literal(">")
  }

  private mutating func close(_ name: StaticString) {
    literal("</")
    literal(name)
    literal(">")
  }

  private mutating func literal(_ text: StaticString) {
    bytes.append(contentsOf: text.description.utf8)
  }
}

extension HTMLWriter {
  /// What the head of every page says.
  mutating func meta(_ title: String) {
    void("meta", ["charset": "utf-8"])
    void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    void("meta", ["name": "color-scheme", "content": "light dark"])
    void("meta", ["name": "robots", "content": "noindex"])
    element("title", text: title)
  }

  /// A titled section of a page.
  mutating func section(_ id: String, _ title: String, _ content: (inout HTMLWriter) -> Void) {
    element("section", ["aria-labelledby": id]) { html in
      html.element("h2", ["id": id], text: title)
      content(&html)
    }
    newline()
  }

  /// The names of a table's columns.
  mutating func columns(_ names: [String], _ attributes: Attributes = [:]) {
    element("thead", attributes) { html in
      html.element("tr") { html in
        for name in names { html.element("th", ["scope": "col"], text: name) }
      }
    }
  }
}

/// Markup that only an `HTMLWriter` has written, in UTF-8.
package struct HTMLPart: Hashable, Sendable {
  package let bytes: [UInt8]

  fileprivate init(bytes: [UInt8]) { self.bytes = bytes }
}

extension String {
  /// The text with each character that would not be seen, or would move others, spelled out as
  /// `\u{202e}`: controls, format characters (bidi marks among them), line and paragraph
  /// separators, and code points that are not characters.
  var visible: String { spellingOut(\.isUnseen) }
}

extension Unicode.Scalar {
  fileprivate var isUnseen: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: properties.isNoncharacterCodePoint
    }
  }
}
