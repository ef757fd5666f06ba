/// What a document holds beyond the members of this version (R14).
struct UnknownMembers {
  /// The document less all that is known; a leftover of a known object stands under its key.
  private(set) var members: [String: JSONValue] = [:]
  /// JSON pointers of the same, sorted.
  private(set) var pointers: [String] = []

  /// The leftovers of a daily revision in which some optional metrics could be read (R42).
  init(of document: [String: JSONValue], optional: some Collection<DailyMetric>) {
    self.init(
      of: document, known: Self.revisionMembers, optional: Set(optional.lazy.map(\.rawValue)))
  }

  /// The leftovers of a document whose members and their members are `known`.
  ///
  /// - Parameter optional: keys that are known as well in each object with a key for each metric,
  ///   and that each of these objects has.
  init(
    of document: [String: JSONValue], known: [String: Set<String>], optional: Set<String> = []
  ) {
    for (key, value) in document {
      guard let inner = known[key] else {
        members[key] = value
        pointers.append("/" + key.pointerToken)
        continue
      }
      guard !inner.isEmpty, let object = value.objectValue else { continue }
      let isByMetric = !optional.isEmpty && Self.objectsByMetric.contains(key)
      let known = inner.count { object[$0] != nil } + (isByMetric ? optional.count : 0)
      guard object.count > known else { continue }
      let rest = object.filter {
        !inner.contains($0.key) && !(isByMetric && optional.contains($0.key))
      }
      guard !rest.isEmpty else { continue }
      members[key] = .object(rest)
      pointers += rest.keys.map { "/\(key)/" + $0.pointerToken }
    }
    pointers.sort()
  }

  private static let objectsByMetric = ["metrics", "metric_status", "metric_units"]

  private static let revisionMembers: [String: Set<String>] = {
    let metrics = Set(DailyMetric.required.map(\.rawValue))
    return [
      "schema_version": [], "date": [], "day": ["timezone", "start", "end"], "generated_at": [],
      "captured_at": [], "sources": [], "parent": [], "covers": [], "kept_from": [],
      DocumentDigest.name: [],
      "collector": ["collector_id", "device_id"],
      "metrics": metrics,
      "metric_status": metrics, "metric_units": metrics,
    ]
  }()
}

extension String {
  /// A key as a JSON pointer spells it (RFC 6901).
  package var pointerToken: String {
    guard contains(where: { $0 == "~" || $0 == "/" }) else { return self }
    return map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }
}
