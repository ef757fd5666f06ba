import HTTPTypes

extension Answer {
  /// The header fields of the answer, without those of its length and its connection.
  ///
  /// - Parameter isSecure: whether the server speaks https itself.
  func fields(isSecure: Bool) -> HTTPFields {
    var fields = HTTPFields()
    for field in headers {
      if let name = HTTPField.Name(field.name) {
        fields.append(.init(name: name, value: field.value))
      }
    }
    if fields[.cacheControl] == nil { fields[.cacheControl] = "no-store" }
    fields[.xContentTypeOptions] = "nosniff"
    if isSecure { fields[.strictTransportSecurity] = "max-age=31536000" }
    return fields
  }
}
