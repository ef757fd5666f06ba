/// The mean, least and greatest of a day's samples, each by the day that holds its middle.
enum SampleMeans {
  /// Nil where there is none; the same whatever the order of `quantities`.
  static func figures(
    _ quantities: [Double]
  ) -> (mean: Double, least: Double, greatest: Double)? {
    let sorted = quantities.sorted()
    guard let least = sorted.first, let greatest = sorted.last else { return nil }
    let mean = sorted.reduce(0, +) / Double(sorted.count)
    return (min(max(mean, least), greatest), least, greatest)
  }
}
