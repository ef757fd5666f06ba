/// The mark of a day in the calendar: each coverage has a shape of its own, so that the calendar
/// can be read without colours.
enum CoverageMark {
  /// Width and height of a mark.
  static let size = 11

  private static let frame = "h11v11h-11zm1.5 1.5v8h8v-8z"

  /// A path of the mark whose upper left corner is there; filled by the even-odd rule.
  static func path(_ coverage: DayCoverage, x: Int, y: Int) -> String {
    "M\(x) \(y)" + shape(coverage)
  }

  private static func shape(_ coverage: DayCoverage) -> String {
    switch coverage {
    // Full.
    case .complete: "h11v11h-11z"
    // A frame, half filled along the diagonal.
    case .partial: frame + "m0 0v8h8z"
    // A frame.
    case .noData: frame
    // Full, with an exclamation mark left out.
    case .faulty: "h11v11h-11zm4.7 2v4.6h1.6v-4.6zm0 5.6v1.6h1.6v-1.6z"
    // A cross.
    case .invalid:
      "m1 2.6l1.6-1.6 2.9 2.9 2.9-2.9 1.6 1.6-2.9 2.9"
        + " 2.9 2.9-1.6 1.6-2.9-2.9-2.9 2.9-1.6-1.6 2.9-2.9z"
    // A dash.
    case .missing: "m2.5 4.7h6v1.6h-6z"
    }
  }
}
