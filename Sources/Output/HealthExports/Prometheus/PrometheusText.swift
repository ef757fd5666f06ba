/// Writes the exposition format, version 0.0.4, that Prometheus reads.
package enum PrometheusText {
  /// The Content-Type of an answer.
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// Each family with its help, its type and its samples. A family without samples is left out.
  package static func text(_ families: [MetricFamily]) -> String {
    var lines: [String] = []
    for family in families where !family.samples.isEmpty {
      lines.append("# HELP \(family.name) \(escaped(family.help, quotes: false))")
      lines.append("# TYPE \(family.name) \(family.kind.rawValue)")
      for sample in family.samples {
        lines.append(
          "\(family.name)\(sample.suffix)\(labelSet(sample.labels)) "
            + PrometheusNumber.text(sample.value))
      }
    }
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  /// `{name="value"}`; empty without labels.
  static func labelSet(_ labels: [MetricLabel]) -> String {
    let texts = labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
    return texts.isEmpty ? "" : "{\(texts.joined(separator: ","))}"
  }

  static func escaped(_ text: String, quotes: Bool) -> String {
    // Almost no text needs it.
    guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x0A || $0 == 0x22 }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// The form of numbers that Prometheus takes.
package enum PrometheusNumber {
  /// `1`, `0.25`, `1e+20`, `+Inf`, `-Inf`, `NaN`.
  package static func text(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Inf" : "+Inf" }
    if number == number.rounded(), abs(number) < 1e15 { return "\(Int(number))" }
    return "\(number)"
  }
}
