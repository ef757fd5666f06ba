package import HealthModel
import HealthStreams

/// What one pass of a recompute has listed for a day: everything that its figures depend on, besides
/// the rules (R49).
package struct DerivationInputs: Hashable, Sendable {
  /// Ids of the stored batches whose entries can bear on the day.
  package let batches: Set<String>
  /// A line that names the day's zones.
  let zones: String
  /// Ids of the day's revisions. The figures do not depend on them; but the newest may give the day another
  /// zone, or lack what the streams say.
  package let revisions: Set<RevisionID>

  /// What was listed.
  package init(batches: Set<String>, zones: String, revisions: Set<RevisionID>) {
    (self.batches, self.zones, self.revisions) = (batches, zones, revisions)
  }

  /// Whether a later listing shows nothing new but the revisions `written` by this recompute.
  func covers(_ later: DerivationInputs, written: Set<RevisionID>) -> Bool {
    later.batches == batches && later.zones == zones
      && later.revisions.isSubset(of: revisions.union(written))
  }

  /// SHA-256 of the sorted ids of batches with the line of zones, a line each.
  var digest: String {
    let lines = batches.sorted(by: Self.precedes) + [zones]
    return SealedBatch.digest(of: Array(lines.joined(separator: "\n").utf8))
  }

  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

/// What is known to be true of a day: this revision has what exactly these inputs say by these rules
/// (R49).
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
  /// The first four characters of the id of each batch, ascending. Batches are never removed, so if a
  /// later listing lacks one, raw data was lost.
  let batches: [String]

  /// The newest version of the rules: how entries become samples, and samples become
  /// figures. Whatever changes figures raises it.
  package static let currentRules = 16

  /// The most bytes of the object: room for more batches than a listing may show.
  package static let maximumBytes = 16 << 20
  private static let idCharacters = 4

  init(revisionID: RevisionID, rules: Int, inputs: String, batches: [String]) {
    (self.revisionID, self.rules, self.inputs) = (revisionID, rules, inputs)
    self.batches = batches
  }

  /// The basis of a revision that has the figures of these inputs.
  package init(_ revisionID: RevisionID, rules: Int, of listed: DerivationInputs) {
    self.init(
      revisionID: revisionID, rules: rules, inputs: listed.digest,
      batches: listed.batches.map { String($0.prefix(Self.idCharacters)) }.sorted())
  }

  /// At least how many of its batches a later listing lacks.
  func lost(in listed: DerivationInputs) -> Int {
    var there: [Substring: Int] = [:]
    for id in listed.batches { there[id.prefix(Self.idCharacters), default: 0] += 1 }
    return batches.count { id in
      guard let left = there[id[...]], left > 0 else { return true }
      there[id[...]] = left - 1
      return false
    }
  }

  /// Whether the newest listed revision has the figures of what was listed.
  func holds(_ listed: DerivationInputs, rules: Int) -> Bool {
    self.rules == rules && listed.revisions.max() == revisionID
      && listed.digest == inputs
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
    let text = Array(value["batches"]?.stringValue ?? "")
    let ids = stride(from: 0, to: text.count, by: Self.idCharacters)
      .map { String(text[$0..<min($0 + Self.idCharacters, text.count)]) }
    self.init(revisionID: id, rules: rules, inputs: inputs, batches: ids)
  }

  /// The object as canonical JSON (R13).
  package var encoded: [UInt8] {
    JSONValue.object([
      "batches": .string(batches.joined()), "format": .string(Self.format),
      "inputs": .string(inputs), "revision_id": .string(revisionID.rawValue),
      "rules": .number(Double(rules)),
    ]).canonicalBytes
  }

  private static let format = "derived.v0"
}
