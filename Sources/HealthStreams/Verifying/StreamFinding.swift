public import HealthModel

/// What an inspection of streams found.
public struct StreamFinding: Hashable, Sendable {
  /// What it is. The raw value is the code for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The store holds something there that can't be read.
    case unreadable = "unreadable_object"
    /// Not gzip, cut off or damaged.
    case notGzip = "not_gzip"
    /// More bytes than a batch may have.
    case tooLarge = "too_large"
    /// Not one JSON object.
    case notJSON = "not_json"
    /// A member of the batch is missing or not valid.
    case notABatch = "not_a_batch"
    /// The id is not the digest of the content.
    case wrongDigest = "wrong_digest"
    /// `total_records` is not the number of entries.
    case wrongTotal = "wrong_total"
    /// An entry is not valid.
    case invalidEntry = "invalid_entry"
    /// The key names another stream, device, date or id than the content.
    case misplaced = "misplaced"
    /// The batch was listed, and is gone.
    case vanished = "vanished_object"
    /// An object that is not a batch.
    case foreign = "foreign_object"
    /// A stream that samples steadily has nothing for a while.
    case gap
    /// Entries are stored more than once. Readers count them once.
    case duplicates = "duplicate_entries"
    /// A marker is older than a day: the days of its batch may not have been derived.
    case oldMarker = "old_marker"
    /// An object among the markers that is not one.
    case foreignMarker = "foreign_marker"

    /// Whether it is a fault, and not a remark about data that is whole.
    public var isError: Bool {
      switch self {
      case .gap, .duplicates, .oldMarker: false
      default: true
      }
    }

    init(_ code: BatchFault.Code) {
      self =
        switch code {
        case .unreadable: .unreadable
        case .notGzip: .notGzip
        case .tooLarge: .tooLarge
        case .notJSON: .notJSON
        case .notABatch: .notABatch
        case .wrongDigest: .wrongDigest
        case .wrongTotal: .wrongTotal
        case .invalidEntry: .invalidEntry
        case .misplaced: .misplaced
        }
    }
  }

  /// What it is.
  public let code: Code
  /// One clause.
  public let message: String
  /// The stream concerned.
  public var stream: StreamName?
  /// The device concerned.
  public var deviceID: String?
  /// The UTC date concerned.
  public var date: CalendarDate?
  /// The object concerned.
  public var key: String?
  /// From when to when a gap lasts.
  public var gap: ClosedRange<Timestamp>?
}
