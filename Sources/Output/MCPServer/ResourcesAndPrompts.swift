import HealthModel

/// What agents can read by address (R62): a day, and the catalogue of metrics.
enum Resources {
  static let catalogue = "health://metrics"
  private static let dayPrefix = "health://days/"

  /// The date of a day's address, in a form of R50.
  static func date(_ uri: String) -> String? {
    guard uri.hasPrefix(dayPrefix) else { return nil }
    let date = String(uri.dropFirst(dayPrefix.count))
    return DayWord(date) == nil ? nil : date
  }

  /// The catalogue in `resources/list`.
  static func catalogue(_ version: ProtocolVersion) -> JSONValue {
    described(
      [
        "uri": .string(catalogue), "name": "metrics", "mimeType": "application/json",
        "description": "All metrics that a day can have: unit, meaning, and how it is made.",
      ], "Catalogue of metrics", version)
  }

  /// A day in `resources/templates/list`.
  static func day(_ version: ProtocolVersion, _ naming: ToolNaming) -> JSONValue {
    described(
      [
        "uriTemplate": "\(dayPrefix){date}", "name": "day", "mimeType": "application/json",
        "description":
          "One day, as \(Tool.daily.name(naming)) answers it. date: \(DayWord.forms).",
      ], "Health metrics of one day", version)
  }

  static func described(
    _ members: [String: JSONValue], _ title: JSONValue, _ version: ProtocolVersion
  ) -> JSONValue {
    .object(version.hasStructuredContent ? members.merging(["title": title]) { $1 } : members)
  }
}

/// What a person can ask with one choice (R62). The text names only metrics that have data.
enum AgentPrompt: String, CaseIterable {
  case weeklyReview = "weekly_review"
  case beforeAppointment = "before_appointment"

  /// The longest reason, in characters.
  private static let reasonLength = 300

  init(named name: String) throws(ProtocolError) {
    guard let prompt = Self(rawValue: name) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidParams("unknown prompt \"\(name.prefix(80))\"; the prompts are \(names)")
    }
    self = prompt
  }

  private var title: JSONValue {
    switch self {
    case .weeklyReview: "Weekly review"
    case .beforeAppointment: "Before an appointment"
    }
  }

  private var words: JSONValue {
    switch self {
    case .weeklyReview: "The last seven days, compared with the seven before."
    case .beforeAppointment: "What a doctor should know of the last 90 days, on one page."
    }
  }

  /// The prompt in `prompts/list`.
  func definition(_ version: ProtocolVersion) -> JSONValue {
    var members: [String: JSONValue] = ["name": .string(rawValue), "description": words]
    if self == .beforeAppointment {
      members["arguments"] = [
        ["name": "reason", "description": "What the appointment is about.", "required": false]
      ]
    }
    return Resources.described(members, title, version)
  }

  /// The one argument that a prompt may take.
  func reason(_ arguments: [String: JSONValue]) throws(ProtocolError) -> String? {
    let arguments = arguments.filter { !$0.value.isLeftOut }
    let reason = arguments["reason"]?.stringValue
    let known = self == .beforeAppointment && reason != nil ? 1 : 0
    guard arguments.count == known, (reason ?? "").count <= Self.reasonLength else {
      let taken =
        self == .beforeAppointment
        ? "only `reason`, a text of at most \(Self.reasonLength) characters" : "no arguments"
      throw .invalidParams("\(rawValue) takes \(taken)")
    }
    return reason
  }

  private var days: Int { self == .weeklyReview ? 14 : 90 }

  /// The call whose answer says what there is.
  var call: ToolCall { ToolCall(.list, ["start_date": "-\(days)d", "end_date": "yesterday"]) }

  /// The result of `prompts/get`, of the answer to `call`.
  func result(of list: JSONValue, reason: String?, _ naming: ToolNaming) -> [String: JSONValue] {
    let text = text(of: list, reason: reason, naming)
    return [
      "description": words,
      "messages": [["role": "user", "content": ["type": "text", "text": .string(text)]]],
    ]
  }

  private func text(of list: JSONValue, reason: String?, _ naming: ToolNaming) -> String {
    let metrics = DailyMetric.inOrder.compactMap { metric in
      list["metrics"]?[metric.rawValue]?["days"]?.numberValue.map {
        "- \(metric.rawValue): \(metric.label), in \(metric.unitLabel), on \(Int($0)) days"
      }
    }
    guard !metrics.isEmpty else {
      let last = list["held"]?["last_date"]?.stringValue
      return "I asked for a review of my health data, but there is none of the last \(days) days. "
        + (last.map { "The last date with data is \($0). " } ?? "Nothing is stored yet. ")
        + "Tell me so, and make no figures up."
    }
    let summary = Tool.summary.name(naming)
    let how =
      switch self {
      case .weeklyReview:
        """
        Review my last seven days of health data. Call \(summary) with start_date -7d, end_date \
        yesterday, compare_start_date -14d and compare_end_date -8d. Say what changed and what \
        stayed the same.
        """
      case .beforeAppointment:
        """
        I have an appointment with a doctor\(reason.map { ": \($0)" } ?? ""). Call \(summary) with \
        start_date -90d, end_date yesterday and by month. Write one page: the figures that matter, \
        how they changed, and questions to ask. Make no diagnosis.
        """
      }
    return """
      \(how) Use only these metrics, which have data in the last \(days) days:
      \(metrics.joined(separator: "\n"))
      Name the dates without data, and never count them as 0.
      """
  }
}
