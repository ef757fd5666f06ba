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
  /// Of each reason for which a tag was left out, the first such tag.
  package var examples: [SkipReason: SkippedExample] = [:]
  /// Seconds that the phone was ahead of UTC when it made the export; nil where that is not known.
  package var offsetSeconds: Int?

  package init(entry: String?, xmlBytes: Int64, records: Int) {
    (self.entry, self.xmlBytes, self.records) = (entry, xmlBytes, records)
  }
}
