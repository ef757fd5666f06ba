import HealthSources
import Testing

/// What is not a valid input: each is refused with a message that says what it is.
@Suite(.unit) struct InputErrorTests {
  private func refusal(_ bytes: [UInt8]) -> SourceError? {
    do {
      _ = try SourceDocument.recognise(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test func `no byte at all`() {
    #expect(refusal([])?.code == .empty)
    #expect(refusal(Array(" \n\t".utf8))?.code == .empty)
    #expect(refusal([])?.description.hasPrefix("the input has no bytes; ") == true)
  }

  @Test func `50 MB of input`() {
    let error = refusal([UInt8](repeating: 0x20, count: 50_000_000))
    #expect(error?.code == .tooLarge)
    #expect(error?.description.contains("50000000 bytes, more than the 33554432 allowed") == true)
  }

  @Test(arguments: [
    ("bvx2\u{0}\u{1}", "LZFSE"), ("bvxn....", "LZFSE"),
    ("PK\u{3}\u{4}....", "zip archive; if it is Apple Health's export, import it"),
    (
      "<?xml version=\"1.0\"?>",
      "the input is XML; if it is Apple Health's export, import it"
    ),
    ("\n <HealthData locale=\"de_DE\">", "the input is XML"),
    ("\u{FEFF}<?xml", "the input is XML"), ("bplist00", "property list"),
  ])
  func `files of other kinds are named`(text: String, words: String) {
    let error = refusal(Array(text.utf8))
    #expect(error?.code == .foreignFormat)
    #expect(error?.description.contains(words) == true)
  }

  @Test func `gzip and UTF-16 are named`() {
    #expect(refusal([0x1F, 0x8B, 8, 0])?.description.contains("gzip") == true)
    #expect(refusal([0xFF, 0xFE, 0x7B, 0])?.description.contains("UTF-16") == true)
  }

  @Test func `a byte-order mark is skipped`() throws {
    let text = "\u{FEFF}{\"date\":\"2026-02-08\",\"metrics\":{\"steps\":1}}"
    #expect(try SourceDocument.recognise(Array(text.utf8)) == .metrics)
  }

  @Test func `invalid UTF-8 is refused with its offset and pointer`() {
    let error = refusal(Array("{\"metrics\":{\"a".utf8) + [0xFF] + Array("\":1}}".utf8))
    #expect(error?.code == .notJSON)
    #expect(error?.description.contains("not UTF-8 at byte 14 (line 1, column 15)") == true)
    #expect(error?.problems.first?.pointer == "/metrics")
  }

  @Test(arguments: [
    ("{\"metrics\":{\"steps\":NaN}}", "/metrics/steps"),
    ("{\"metrics\":{\"hrv_sdnn_avg\":null,\n \"steps\":1e999}}", "/metrics/steps"),
    ("{\"metrics\":{\"steps\":-Infinity}}", "/metrics/steps"),
    ("{\"days\":[{},{\"metrics\":{\"steps\":0x10}}]}", "/days/1/metrics/steps"),
    ("{\"a/b\":{\"c~d\":[1,2,[3,nope]]}}", "/a~1b/c~0d/2/1"),
    ("{\"data\":{\"metrics\":[{\"na", "/data/metrics/0"),
  ])
  func `what is not JSON is refused at the pointer where it breaks`(text: String, pointer: String) {
    let error = refusal(Array(text.utf8))
    #expect(error?.code == .notJSON)
    #expect(error?.problems.first?.pointer == pointer)
  }

  @Test func `nesting without end is refused`() {
    let error = refusal([UInt8](repeating: UInt8(ascii: "["), count: 1_000_000))
    #expect(error?.code == .notJSON)
    #expect(error?.description.contains("nesting") == true)
  }

  @Test(arguments: ["[]", "1", "\"x\"", "{}", "{\"data\":[1]}", "{\"data\":{\"x\":1}}"])
  func `JSON of another form is refused and the forms are named`(text: String) {
    let error = refusal(Array(text.utf8))
    #expect(error?.code == .notRecognised)
    #expect(error?.description.contains("Health Auto Export") == true)
  }

  @Test func `metrics of the app outside of 'data' are told from a metrics JSON`() throws {
    let rows = #"{"metrics":[{"name":"step_count","units":"count","data":[]}]}"#
    let error = try Payloads.error(rows)
    #expect(error.code == .notRecognised && "\(error)".contains("outside of 'data'"), "\(error)")
  }

  @Test(arguments: ["Europe/Berln", "", "PST", "../etc/passwd"])
  func `an unknown reporting time zone is refused`(zone: String) throws {
    for text in ["{\"metrics\":{}}", "{\"data\":{}}"] {
      #expect(try Payloads.error(text, zone: zone).code == .unknownTimeZone)
    }
  }
}
