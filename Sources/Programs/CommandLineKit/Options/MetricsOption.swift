package import ArgumentParser
package import HealthModel
import HealthSources

extension MetricSelection {
  /// The value of `--metrics`; a key that is unknown is an error that names the nearest.
  package static func argument(_ text: String) throws -> MetricSelection {
    do throws(Failure) {
      return try MetricSelection(parsing: text)
    } catch {
      throw ValidationError(error.words())
    }
  }
}

extension MetricSelection.Failure {
  /// - Parameter others: what is taken besides the words of metrics.
  func words(besides others: [String] = []) -> String {
    switch self {
    case .empty: return "--metrics takes all, v0, or keys with commas: steps,weight"
    case .unknown(let key):
      let names = DailyMetric.inOrder.map(\.rawValue) + ["all", "v0"] + others
      let meant = Suggestion.nearest(to: key, among: names).map { ": did you mean '\($0)'?" }
      return "unknown metric '\(key.prefix(80).description.printable)'"
        + (meant ?? "; docs/METRICS.md lists them all")
    }
  }
}

extension CompletionKind {
  /// What `--metrics` takes.
  package static var metrics: CompletionKind {
    .list(["all", "v0"] + DailyMetric.inOrder.map(\.rawValue))
  }

  /// The zones that this machine knows.
  package static var timeZones: CompletionKind {
    .shellCommand("awk '!/^#/ { print $3 }' /usr/share/zoneinfo/zone.tab")
  }
}
