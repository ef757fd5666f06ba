import Foundation
import TestSupport
import Testing

/// No library names a flag, a command or a file of the documentation: its errors carry a typed
/// remedy, and each front end words that for its readers.
@Suite(.unit) struct LibraryWordsTests {
  /// The targets of Sources/ that are front ends, whose business flags and commands are.
  private static let frontEnds: Set<String> = ["s3health", "s3healthd", "s3race", "CommandLineKit"]

  /// What looks like a word of a front end and is not one.
  private static let exceptions: [(file: String, text: String, reason: String)] = [
    (
      "Core/ObjectStore/Caching/CachedObject.swift", "s3health copy 1 ",
      "begins each file of the cache"
    ),
    (
      "Bucket/S3Store/Probe/ProbeRun.swift", "s3health probe ",
      "begins each scratch object of the probe"
    ),
  ]

  @Test func `no string of a library names a flag, a command or a file of docs`() throws {
    let sources = ProjectTree.root.appending(path: "Sources")
    let names = FileManager.default.enumerator(atPath: sources.path)
    var (literals, used) = (0, Set<String>())
    while let name = names?.nextObject() as? String {
      let target = name.split(separator: "/").dropFirst().first.map(String.init) ?? ""
      guard name.hasSuffix(".swift"), !Self.frontEnds.contains(target) else { continue }
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      for literal in StringLiterals.all(of: text) {
        literals += 1
        guard literal.contains(#/--[a-z]|\bs3(health|race) |\bulimit\b|\bsudo\b|\bdocs\//#) else {
          continue
        }
        if let known = Self.exceptions.first(where: {
          $0.file == name && literal.contains($0.text)
        }) {
          used.insert(known.text)
        } else {
          Issue.record("Sources/\(name): \"\(literal)\"")
        }
      }
    }
    #expect(literals > 3000, "the sources were read")
    #expect(used == Set(Self.exceptions.map(\.text)), "every exception is still needed")
  }

  @Test(arguments: [
    (#"let a = "one" // "two""#, ["one"]),
    (#"/* "no" /* "nested" */ "no" */ f("yes")"#, ["yes"]),
    (#""a \(b ? "c" : d("e")) f""#, ["c", "e", "a  f"]),
    (##"#"raw "quoted" \(no)"# + "x""##, [#"raw "quoted" \(no)"#, "x"]),
    ("\"\"\"\n  a \"b\" \\\n  c\n  \"\"\"; \"\\\"d\"", ["\n  a \"b\" n  c\n  ", "\"d"]),
    ("// a\n\"b\"", ["b"]),
  ])
  func `the literals of a source are found, and not those of its comments`(
    source: String, found: [String]
  ) {
    #expect(StringLiterals.all(of: source).map { $0.replacing("\\\n", with: "n") } == found)
  }
}

/// Finds the string literals of Swift sources: enough of the grammar for this project's files.
private struct StringLiterals {
  private var rest: Substring
  private var literals: [String] = []

  static func all(of source: String) -> [String] {
    var scanner = StringLiterals(rest: source[...])
    scanner.scanCode(untilParenthesis: false)
    return scanner.literals
  }

  /// Code, to its end or to the parenthesis that closes an interpolation.
  private mutating func scanCode(untilParenthesis: Bool) {
    var depth = 0
    while let character = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        skipComment()
      } else if character == "\"" || isRawLiteral {
        scanLiteral()
      } else {
        rest.removeFirst()
        if character == "(" { depth += 1 }
        if character == ")" {
          if untilParenthesis, depth == 0 { return }
          depth -= 1
        }
      }
    }
  }

  /// Comments nest.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if rest.hasPrefix("/*") {
        depth += 1
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix("*/") {
        depth -= 1
        rest = rest.dropFirst(2)
      } else {
        rest = rest.dropFirst()
      }
    } while depth > 0 && !rest.isEmpty
  }

  private var isRawLiteral: Bool {
    rest.first == "#" && rest.drop { $0 == "#" }.first == "\""
  }

  private mutating func scanLiteral() {
    let hashes = String(rest.prefix { $0 == "#" })
    rest = rest.dropFirst(hashes.count)
    let quote = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
    rest = rest.dropFirst(quote.count)
    var text = ""
    while !rest.isEmpty {
      if rest.hasPrefix(quote + hashes) {
        rest = rest.dropFirst(quote.count + hashes.count)
        break
      }
      if rest.hasPrefix("\\" + hashes) {
        rest = rest.dropFirst(1 + hashes.count)
        if rest.first == "(" {
          rest.removeFirst()
          scanCode(untilParenthesis: true)
        } else if let escaped = rest.first {
          text.append(escaped.isNewline ? "\\\n" : String(escaped))
          rest.removeFirst()
        }
      } else {
        text.append(rest.removeFirst())
      }
    }
    literals.append(text)
  }
}
