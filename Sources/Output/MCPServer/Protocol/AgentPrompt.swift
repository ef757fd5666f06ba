import HealthModel

/// What a person can ask with one choice (R62). The text names only metrics that have data.
enum AgentPrompt: String, CaseIterable {
  case weeklyReview = "weekly_review"
  case beforeAppointment = "before_appointment"

  private var title: String {
    switch self {
    case .weeklyReview: "Weekly review"
    case .beforeAppointment: "Before an appointment"
    }
  }

  private var words: String {
    switch self {
    case .weeklyReview: "The last seven days, compared with the seven before."
    case .beforeAppointment: "What a doctor should know of the last 90 days, on one page."
    }
  }

  /// The longest reason, in characters.
  static let reasonLength = 300

  /// The prompt's description in `prompts/list`.
  func definition(_ version: ProtocolVersion) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(rawValue), "description": .string(words),
    ]
    if self == .beforeAppointment {
      members["arguments"] = [
        ["name": "reason", "description": "What the appointment is about.", "required": false]
      ]
    }
    return Resources.described(members, .string(title), version)
  }

  /// The call whose answer says what there is.
  var call: ToolCall {
    let start: JSONValue = self == .weeklyReview ? "-14d" : "-90d"
    return ToolCall(.list, ["start_date": start, "end_date": "yesterday"])
  }

  /// The result of `prompts/get`, of the answer to `call`.
  func result(of list: JSONValue, reason: String?, _ naming: ToolNaming) -> [String: JSONValue] {
    let text = text(of: list, reason: reason, naming)
    return [
      "description": .string(words),
      "messages": [["role": "user", "content": ["type": "text", "text": .string(text)]]],
    ]
  }

  private func text(of list: JSONValue, reason: String?, _ naming: ToolNaming) -> String {
    let found = DailyMetric.inOrder.compactMap { metric in
      list["metrics"]?[metric.rawValue]?["days"]?.numberValue.map { (metric, Int($0)) }
    }
    let span = self == .weeklyReview ? "14" : "90"
    guard !found.isEmpty else {
      let last = list["held"]?["last_date"]?.stringValue
      return "I asked for a review of my health data, but there is none of the last \(span) days. "
        + (last.map { "The last date with data is \($0). " } ?? "There is no data at all. ")
        + "Tell me so, and make no figures up."
    }
    let metrics = found.map { metric, days in
      "- \(metric.rawValue): \(metric.label), in \(metric.unitLabel), on \(days) days"
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
      \(how) Use only these metrics, which have data in the last \(span) days:
      \(metrics.joined(separator: "\n"))
      Name the dates without data, and never count them as 0.
      """
  }
}

extension ServerDescription {
  /// The result of `prompts/list`.
  func prompts(_ version: ProtocolVersion) -> [String: JSONValue] {
    list("prompts", AgentPrompt.allCases.map { $0.definition(version) }, version)
  }
}

extension ProtocolMachine {
  /// Begins to look which metrics a prompt can name.
  mutating func prompt(
    _ id: RequestID, _ params: [String: JSONValue], _ version: ProtocolVersion,
    to destination: Destination
  ) throws(ProtocolError) -> [Action] {
    let name = try params.string("name")
    guard let prompt = AgentPrompt(rawValue: name) else {
      let names = AgentPrompt.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidParams("there is no prompt \"\(name.prefix(80))\"; the prompts are \(names)")
    }
    let arguments = try params.object("arguments").filter { $0.value != .null }
    let reason = arguments["reason"]?.stringValue
    let known = prompt == .beforeAppointment && reason != nil ? 1 : 0
    guard arguments.count == known, (reason ?? "").count <= AgentPrompt.reasonLength else {
      let taken =
        prompt == .beforeAppointment
        ? "only `reason`, a text of at most \(AgentPrompt.reasonLength) characters" : "no arguments"
      throw .invalidParams("\(name) takes \(taken)")
    }
    return try run(
      prompt.call, for: id, as: .prompt(prompt, reason: reason), version, to: destination)
  }
}
