package import HealthModel

/// What one of the hub's pages shows, and its address (R59). An address that a user sends is read
/// into one of these and written anew, so that nothing leads elsewhere.
package enum PagePlace: Hashable, Sendable {
  case today(DashboardSpan? = nil)
  case status
  case day(CalendarDate)
  /// - Parameter to: the last day that is shown; nil for today.
  case metric(DailyMetric, MetricSpan = .month, to: CalendarDate? = nil)

  package static let (dayFolder, metricFolder, statusPath) = ("/day/", "/metric/", "/status")

  /// - Parameters:
  ///   - path: without what stands after `?`.
  ///   - query: what stands after `?`, by name.
  package init?(_ path: String, _ query: [String: String]) {
    switch path {
    case "/": self = .today(query["span"].flatMap(DashboardSpan.init))
    case Self.statusPath: self = .status
    case _ where path.hasPrefix(Self.dayFolder):
      guard let date = CalendarDate(path.dropFirst(Self.dayFolder.count)) else { return nil }
      self = .day(date)
    case _ where path.hasPrefix(Self.metricFolder):
      let key = String(path.dropFirst(Self.metricFolder.count))
      guard let metric = DailyMetric.named(key) else { return nil }
      self = .metric(
        metric, query["span"].flatMap(MetricSpan.init) ?? .month,
        to: query["to"].flatMap { CalendarDate($0) })
    default: return nil
    }
  }

  /// The path, and what follows it.
  package var address: String {
    switch self {
    case .today(let span): span.map { "/?span=\($0.rawValue)" } ?? "/"
    case .status: Self.statusPath
    case .day(let date): "\(Self.dayFolder)\(date)"
    case .metric(let metric, let span, let to):
      "\(Self.metricFolder)\(metric.rawValue)?span=\(span.rawValue)"
        + (to.map { "&to=\($0)" } ?? "")
    }
  }
}

/// How much of a metric its page shows.
package enum MetricSpan: String, CaseIterable, Hashable, Sendable {
  case week
  case month
  case year
  /// From the first day that the store holds.
  case all

  /// Nil for all.
  package var days: Int? { self == .all ? nil : DashboardSpan(rawValue: rawValue)?.days }
}

extension HTMLWriter {
  /// A link to a page of the hub.
  mutating func link(_ place: PagePlace, _ text: String, current: Bool = false) {
    if current {
      element("a", ["href": place.address, "aria-current": "page"], text: text)
    } else {
      element("a", ["href": place.address], text: text)
    }
  }
}
