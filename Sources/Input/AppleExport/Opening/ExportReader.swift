package import HealthModel

/// Reads an Apple Health export: the zip, an unpacked export.xml, a folder of it, or a pipe of the XML.
///
/// The memory it takes is bounded, whatever the file: one pass over chunks, no tree, no string for
/// a record.
package struct ExportReader: Sendable {
  /// Where the export lies; `-` is standard input.
  package let path: String
  /// What was read of a pipe before, to find out what it brings.
  private let first: [UInt8]

  /// A reader of what lies at `path`; `first` is what was taken from a pipe already.
  package init(path: String, first: [UInt8] = []) { (self.path, self.first) = (path, first) }

  /// Reads the export once, from its beginning to its end, on the calling thread.
  ///
  /// `watch` is called between chunks; what it throws, a cancellation say, ends the reading and is
  /// thrown on, and so is what the sink throws. Everything else is an `ExportError`. A sink that
  /// was given samples before an error has only part of them.
  package func read<Sink: ExportSink>(
    into sink: inout Sink, watching watch: (ExportProgress) throws -> Void = { _ in }
  ) throws -> ExportReading {
    let opened = try OpenedExport.open(path, first: first)
    var scanner = ExportScanner()
    var xmlBytes: Int64 = 0
    while let chunk = try opened.chunks.next() {
      scanner.scan(chunk)
      xmlBytes += Int64(chunk.count)
      for finding in scanner.findings { try sink.take(finding) }
      scanner.findings.removeAll(keepingCapacity: true)
      if !scanner.hasBegun, xmlBytes > Self.longestPrologue { throw opened.notAnExport }
      try watch(
        ExportProgress(
          bytesRead: opened.chunks.bytesRead, bytesTotal: opened.chunks.bytesTotal,
          xmlBytes: xmlBytes))
    }
    guard scanner.hasBegun else { throw opened.notAnExport }
    guard scanner.isComplete else {
      throw ExportError(
        .truncated, "the export ends before </HealthData>", path: path, entry: opened.entry,
        remedy: "export it again in the Health app, or copy the whole file")
    }
    var reading = ExportReading(
      entry: opened.entry, xmlBytes: xmlBytes, records: scanner.recordCount)
    reading.unreadTypes = scanner.kinds.unread
    reading.unknownCategories = scanner.unknownCategories.counts
    reading.unknownUnits = scanner.unknownUnits
    reading.others = scanner.others
    if opened.electrocardiograms > 0 {
      reading.others[ExportReading.electrocardiogram] = opened.electrocardiograms
    }
    reading.offsetSeconds = scanner.exportOffset.map { Int($0) }
    let isPipe = opened.chunks.bytesTotal == nil
    let lines = isPipe ? [:] : linesHolding(Set(scanner.examples.values.map(\.offset)))
    reading.examples = scanner.examples.mapValues {
      SkippedExample(line: lines[$0.offset], text: $0.text)
    }
    return reading
  }

  /// The lines that hold bytes of the export, by the bytes' offsets.
  ///
  /// Read again where there is something to look for: counting lines in every export would take a
  /// tenth of the time of its scan. Empty where the file is gone, or has changed.
  private func linesHolding(_ offsets: Set<Int>) -> [Int: Int] {
    guard !offsets.isEmpty, let opened = try? OpenedExport.open(path) else { return [:] }
    var lines: [Int: Int] = [:]
    var (line, before) = (1, 0)
    var rest = offsets.sorted()[...]
    while let next = rest.first, let chunk = try? opened.chunks.next() {
      var place = 0
      var wanted: Int? = next
      while let offset = wanted, offset < before + chunk.count {
        line += chunk[place..<offset - before].count { $0 == UInt8(ascii: "\n") }
        place = offset - before
        lines[offset] = line
        rest = rest.dropFirst()
        wanted = rest.first
      }
      line += chunk[place...].count { $0 == UInt8(ascii: "\n") }
      before += chunk.count
    }
    return lines
  }

  /// Bytes before `<HealthData`: exports have 10 kB of them.
  private static var longestPrologue: Int64 { 1 << 20 }
}

/// An export whose bytes can be read.
struct OpenedExport {
  let path: String
  let entry: String?
  let chunks: any ExportChunks
  /// Files of electrocardiograms beside it.
  var electrocardiograms = 0

  var notAnExport: ExportError {
    ExportError(
      .notAnExport, "it holds no HealthData element", path: path, entry: entry,
      remedy: "name the export.zip that the Health app made, or the export.xml in it")
  }
}

/// How far a reading has come.
package struct ExportProgress: Hashable, Sendable {
  /// Bytes of the file that are read: of a zip the packed ones.
  package var bytesRead: Int64
  /// Of how many; nil for a pipe.
  package var bytesTotal: Int64?
  /// Bytes of XML that are scanned.
  package var xmlBytes: Int64

  package init(bytesRead: Int64, bytesTotal: Int64?, xmlBytes: Int64) {
    (self.bytesRead, self.bytesTotal, self.xmlBytes) = (bytesRead, bytesTotal, xmlBytes)
  }
}

/// What a reading was, now that it is done.
package struct ExportReading: Hashable, Sendable {
  /// The entry of the zip or the file in the folder that was the export; nil for the file itself.
  package var entry: String?
  package var xmlBytes: Int64
  /// Top-level `Record` elements, of every type.
  package var records: Int
  /// Records of types that are not read, by `type`; those without one under an empty name.
  package var unreadTypes: [String: Int] = [:]
  /// Values of categories that are not known, as they are written.
  package var unknownCategories: [String: Int] = [:]
  /// Units that are not known, as they are written.
  package var unknownUnits = UnknownUnits()
  /// What it holds beside records and summaries, by the name of the element; electrocardiograms,
  /// which are files beside the export, under `electrocardiogram`.
  package var others: [String: Int] = [:]
  /// Of each reason for which a tag was left out, the first such tag.
  package var examples: [SkipReason: SkippedExample] = [:]
  /// Seconds that the phone was ahead of UTC when it made the export; nil where that is not known.
  package var offsetSeconds: Int?

  /// Stands for a file in the folder of electrocardiograms.
  package static let electrocardiogram = "Electrocardiogram"

  package init(entry: String?, xmlBytes: Int64, records: Int) {
    (self.entry, self.xmlBytes, self.records) = (entry, xmlBytes, records)
  }
}
