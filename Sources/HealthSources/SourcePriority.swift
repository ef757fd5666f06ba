/// Which of several devices counts where they saw the same: HealthKit's default order.
///
/// Merged by HealthKit already, typed in by hand, watch, phone, other apps, unnamed.
struct SourcePriority: Hashable, Comparable {
  let rank: Int
  /// All merged rows are one source: they were de-duplicated and must not be again.
  let name: String

  init(_ source: String) {
    let lower = source.lowercased()
    if source.contains("|") {
      (rank, name) = (0, "|")
    } else if lower == "health" {
      (rank, name) = (1, source)
    } else if lower.contains("watch") {
      (rank, name) = (2, source)
    } else if lower.contains("phone") {
      (rank, name) = (3, source)
    } else {
      (rank, name) = (source.isEmpty ? 5 : 4, source)
    }
  }

  static func < (a: SourcePriority, b: SourcePriority) -> Bool {
    (a.rank, a.name) < (b.rank, b.name)
  }
}
