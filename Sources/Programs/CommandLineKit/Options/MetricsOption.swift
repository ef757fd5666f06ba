package import ArgumentParser
package import HealthModel
import HealthSources

extension MetricSelection {
  /// The value of `--metrics`; a key that is unknown is an error that names the nearest.
  package static func argument(_ text: String) throws -> MetricSelection {
    do throws(Failure) {
      return try MetricSelection(parsing: text)
    } catch {
      switch error {
      case .empty:
        throw ValidationError("--metrics takes all, v0, or keys with commas: steps,weight")
      case .unknown(let key):
        let names = DailyMetric.inOrder.map(\.rawValue) + ["all", "v0"]
        let meant = Suggestion.nearest(to: key, among: names).map { ": did you mean '\($0)'?" }
        throw ValidationError(
          "unknown metric '\(key)'\(meant ?? "; docs/METRICS.md lists them all")")
      }
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
