public import HealthModel

/// What an inspection of streams found.
public struct StreamFinding: Hashable, Sendable {
  /// What it is.
  public enum Code: Hashable, Sendable, CaseIterable {
    /// An object with a batch's key is not a batch.
    case notABatch(BatchFault.Code)
    /// The batch was listed, and is gone.
    case vanished
    /// An object that is not a batch.
    case foreign
    /// A stream that samples steadily has nothing for a while.
    case gap
    /// Entries are stored more than once. Readers count them once.
    case duplicates
    /// A marker is older than a day: the days of its batch may not have been derived.
    case oldMarker
    /// An object among the markers that is not one.
    case foreignMarker

    /// The faults of batches, then the others, in the order in which reports list them.
    public static let allCases =
      BatchFault.Code.allCases.map(Code.notABatch)
      + [.vanished, .foreign, .gap, .duplicates, .oldMarker, .foreignMarker]

    /// The code for programs.
    public var word: String {
      switch self {
      case .notABatch(let code): code.rawValue
      case .vanished: "vanished_object"
      case .foreign: "foreign_object"
      case .gap: "gap"
      case .duplicates: "duplicate_entries"
      case .oldMarker: "old_marker"
      case .foreignMarker: "foreign_marker"
      }
    }

    /// Whether it is a fault, and not a remark about data that is whole.
    public var isError: Bool {
      switch self {
      case .gap, .duplicates, .oldMarker: false
      default: true
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
