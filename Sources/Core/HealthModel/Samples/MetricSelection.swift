/// Which metrics somebody wants: all, the required ones, or a list of keys.
public struct MetricSelection: Hashable, Sendable {
  /// In the order given; of all, in the order of `DailyMetric.inOrder`.
  public let metrics: [DailyMetric]
  /// True for a list that somebody spelled out.
  public let isList: Bool

  /// Every metric of the catalogue.
  public static let all = MetricSelection(metrics: DailyMetric.inOrder, isList: false)
  /// The required metrics.
  public static let v0 = MetricSelection(metrics: DailyMetric.required, isList: false)

  private init(metrics: [DailyMetric], isList: Bool) {
    (self.metrics, self.isList) = (metrics, isList)
  }

  /// Why a text chooses no metrics.
  public enum Failure: Error, Hashable, Sendable {
    /// No metric has this key.
    case unknown(String)
    /// The list is empty, or has an empty place.
    case empty
  }

  /// Reads `all`, `v0`, or keys with commas between them; a key that is given twice counts once.
  public init(parsing text: String) throws(Failure) {
    switch text {
    case "all": self = .all
    case "v0": self = .v0
    default:
      var metrics: [DailyMetric] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let key = part.trimmingSpaces
        guard !key.isEmpty else { throw .empty }
        if key == "v0" {
          metrics += DailyMetric.required
        } else if let metric = DailyMetric(rawValue: key) {
          metrics.append(metric)
        } else {
          throw .unknown(key)
        }
      }
      var seen: Set<DailyMetric> = []
      self.init(metrics: metrics.filter { seen.insert($0).inserted }, isList: true)
    }
  }

  /// Those, and the required ones, which every day has.
  public var withRequired: Set<DailyMetric> { Set(metrics).union(DailyMetric.required) }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
