/// What verification is to do beyond resolving every date (R35, R38).
public struct VerifyOptions: Hashable, Sendable {
  /// Whether pointers are moved forward.
  public enum Repair: Hashable, Sendable {
    /// Verification reads only.
    case no
    /// Reads only, and tells which pointers would move.
    case dryRun
    /// Moves pointers by compare-and-swap.
    case apply
  }

  /// Reads every revision of each day, not only the one that answers and those above it.
  public var isDeep: Bool
  /// Whether pointers that are behind are moved forward.
  public var repair: Repair
  /// Most seconds since the newest readable revision of the range was made; nil: any.
  public var maximumAge: Int?

  /// Verifies what readers see, repairs nothing, unless told otherwise.
  public init(isDeep: Bool = false, repair: Repair = .no, maximumAge: Int? = nil) {
    (self.isDeep, self.repair, self.maximumAge) = (isDeep, repair, maximumAge)
  }

  /// Seconds that an id may be ahead of the store's clock before it is told (R21).
  static let futureTolerance = 300
  /// Seconds between an id and its object's LastModified before they are told (R21).
  static let lastModifiedTolerance = 3600
}
