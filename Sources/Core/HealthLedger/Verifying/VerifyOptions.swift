/// What verification does in addition to resolving every date (R35, R38).
public struct VerifyOptions: Hashable, Sendable {
  /// Whether pointers are moved forward.
  public enum Repair: Hashable, Sendable {
    /// Verification reads only.
    case no
    /// Only reads, and reports which pointers would move.
    case dryRun
    /// Moves pointers by compare-and-swap.
    case apply
  }

  /// Reads every revision of each day, not only the resolved one and those above it.
  public var isDeep: Bool
  /// Whether pointers that are behind are moved forward.
  public var repair: Repair
  /// The most seconds since the newest readable revision of the range was made; nil for no limit.
  public var maximumAge: Int?

  /// Without arguments, verifies what readers see and repairs nothing.
  public init(isDeep: Bool = false, repair: Repair = .no, maximumAge: Int? = nil) {
    (self.isDeep, self.repair, self.maximumAge) = (isDeep, repair, maximumAge)
  }

  /// How many seconds an id may be ahead of the store's clock before this is reported (R21).
  static let futureTolerance = 300
  /// How many seconds an id and its object's LastModified may differ before this is reported (R21).
  static let lastModifiedTolerance = 3600
}
