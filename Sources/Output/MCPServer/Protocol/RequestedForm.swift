import HealthModel

/// What an answer of a tool becomes (R62).
enum RequestedForm {
  /// The result of the tool.
  case tool
  /// The text of a resource.
  case resource(uri: String)
  /// The message of a prompt.
  case prompt(AgentPrompt, reason: String?)
}

extension ServerDescription {
  /// The response to a request whose call has ended.
  func response(to entry: CallTable.Entry, _ answer: ToolAnswer) -> JSONValue {
    let result: [String: JSONValue]
    switch entry.form {
    case .tool: result = answer.result(entry.version)
    case .resource(let uri):
      guard !answer.isError else {
        let fault = answer.content["error"]
        let isMissing = fault?["code"] == .string("DATA_NOT_FOUND")
        let error: ProtocolError =
          isMissing ? .resourceNotFound(uri, entry.version) : .failed(fault)
        return error.response(to: entry.id)
      }
      result = Resources.contents(uri, answer.content, entry.version, lasting: false)
    case .prompt(let prompt, let reason):
      guard !answer.isError else {
        return ProtocolError.failed(answer.content["error"]).response(to: entry.id)
      }
      result = prompt.result(of: answer.content, reason: reason, naming)
    }
    return response(result, to: entry.id, entry.version)
  }
}
