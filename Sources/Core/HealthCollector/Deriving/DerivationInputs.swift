package import HealthModel
import HealthStreams

/// What one pass of a recompute has listed for a day: everything that its figures depend on, besides
/// the rules (R49).
package struct DerivationInputs: Hashable, Sendable {
  /// Ids of the stored batches whose entries can bear on the day, and a line that names its zones.
  package let batches: Set<String>
  /// Ids of the day's revisions, the deriver's own included.
  package let revisions: Set<RevisionID>

  /// What was listed.
  package init(batches: Set<String>, revisions: Set<RevisionID>) {
    (self.batches, self.revisions) = (batches, revisions)
  }

  /// Whether a later listing shows nothing new but the revisions `written` by this recompute.
  func covers(_ later: DerivationInputs, written: Set<RevisionID>) -> Bool {
    later.batches == batches && later.revisions.isSubset(of: revisions.union(written))
  }

  /// SHA-256 of the sorted ids of batches with the line of zones, and of the revisions other than `id`,
  /// a line each.
  func digest(without id: RevisionID) -> String {
    let others = revisions.filter { $0 != id }.map(\.rawValue).sorted(by: Self.precedes)
    let lines = batches.sorted(by: Self.precedes) + ["-"] + others
    return SealedBatch.digest(of: Array(lines.joined(separator: "\n").utf8))
  }

  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

/// What is known to be true of a day: the figures of exactly these inputs, by these rules, are those
/// of this revision (R49).
///
/// It saves reading the batches again. It is true for ever, so anybody may delete it or replace it
/// with another that is true. It is not part of the revision, because R20 would compare it.
package struct DerivationBasis: Hashable, Sendable {
  /// The revision that has the figures.
  package let revisionID: RevisionID
  /// The version of the rules that made them.
  package let rules: Int
  /// The digest of the inputs (`DerivationInputs`).
  package let inputs: String

  /// The newest version of the rules: how entries become samples, and samples and other revisions
  /// become figures. Whatever changes figures raises it.
  package static let currentRules = 5

  /// The most bytes of the object.
  package static let maximumBytes = 4096

  /// A basis.
  package init(revisionID: RevisionID, rules: Int, inputs: String) {
    (self.revisionID, self.rules, self.inputs) = (revisionID, rules, inputs)
  }

  /// Whether the newest listed revision has the figures of what was listed.
  func holds(_ listed: DerivationInputs, rules: Int) -> Bool {
    self.rules == rules && listed.revisions.max() == revisionID
      && listed.digest(without: revisionID) == inputs
  }
}

extension DerivationBasis {
  /// Reads an object; nil for anything else than a basis.
  package init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes), value["format"]?.stringValue == Self.format,
      let id = value["revision_id"]?.stringValue.flatMap({ RevisionID($0) }),
      let rules = value["rules"]?.numberValue.flatMap(Int.init(exactly:)),
      let inputs = value["inputs"]?.stringValue, inputs.utf8.count == 64
    else { return nil }
    self.init(revisionID: id, rules: rules, inputs: inputs)
  }

  /// The object as canonical JSON (R13).
  package var encoded: [UInt8] {
    JSONValue.object([
      "format": .string(Self.format), "revision_id": .string(revisionID.rawValue),
      "rules": .number(Double(rules)), "inputs": .string(inputs),
    ]).canonicalBytes
  }

  private static let format = "derived.v0"
}
