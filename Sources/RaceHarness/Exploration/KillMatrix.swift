/// One negative control: whether the harness caught it, how, and how quickly.
package struct Kill: Sendable {
  package let subject: Subject
  package let report: CampaignReport

  package var isCaught: Bool { report.failure != nil }
}

/// Races every broken protocol and every broken store until it is caught.
package enum KillMatrix {
  /// The number of runs after which a control counts as missed.
  package static let maximumRuns = 20_000

  package static func run(seed: UInt64) throws -> [Kill] {
    try Subject.broken.map { subject in
      var campaign = try Campaign(subject, seed: seed)
      return Kill(subject: subject, report: campaign.play(maximumRuns))
    }
  }
}
