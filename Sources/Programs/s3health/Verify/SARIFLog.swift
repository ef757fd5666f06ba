import CommandLineKit
import Foundation
import HTTPClient
import HealthLedger
import HealthModel

/// The outcome of `verify` as SARIF 2.1.0: one run, a result for each finding, a rule for each code
/// of docs/FINDINGS.md.
struct SARIFLog {
  let report: VerifyReport

  var document: [UInt8] {
    let run = VerifyReport.object([
      "tool": Self.tool.canonicalBytes,
      "invocations": JSONValue.array([
        .object([
          "executionSuccessful": .bool(true),
          "exitCode": .number(report.foundSomething ? 1 : 0),
        ])
      ]).canonicalBytes,
      "columnKind": JSONValue.string("unicodeCodePoints").canonicalBytes,
      "originalUriBaseIds": JSONValue.object([
        "STORE": .object(["uri": .string(storeURI)])
      ]).canonicalBytes,
      "properties": JSONValue.object([
        "from": .string(report.dates.lowerBound.description),
        "to": .string(report.dates.upperBound.description),
        "findingsOmitted": .number(Double(report.omittedFindings)),
        "findingsOmittedBySeverity": .object(
          Dictionary(
            uniqueKeysWithValues: Finding.Severity.allCases.map {
              ($0.rawValue, JSONValue.number(Double(report.omitted[$0] ?? 0)))
            })),
      ]).canonicalBytes,
      "results": VerifyReport.array(report.findings.lazy.map(result)),
    ])
    return Self.log(of: run)
  }

  /// A run that did not finish: the reason, and no `results` at all, because an empty array would
  /// say that nothing was found.
  static func failure(_ error: LedgerError) -> [UInt8] {
    var descriptor: [String: JSONValue] = ["id": .string(error.code.rawValue)]
    descriptor["index"] = .number(
      Double(LedgerError.Code.allCases.firstIndex(of: error.code) ?? 0))
    let notification: JSONValue = .object([
      "level": .string("error"), "descriptor": .object(descriptor),
      "message": .object(["text": .string(error.report)]),
    ])
    let run: JSONValue = .object([
      "tool": tool,
      "invocations": .array([
        .object([
          "executionSuccessful": .bool(false),
          "exitCode": .number(Double(error.code.exitCode.rawValue)),
          "toolExecutionNotifications": .array([notification]),
        ])
      ]),
    ])
    return log(of: run.canonicalBytes)
  }

  private static func log(of run: [UInt8]) -> [UInt8] {
    VerifyReport.object([
      "version": JSONValue.string("2.1.0").canonicalBytes,
      "runs": [UInt8(ascii: "[")] + run + [UInt8(ascii: "]")],
    ]) + [UInt8(ascii: "\n")]
  }

  private static let tool: JSONValue = .object([
    "driver": .object([
      "name": .string("s3health"), "version": .string(Program.version),
      "semanticVersion": .string(Program.version),
      "rules": .array(
        FindingKind.all.map { kind in
          .object([
            "id": .string(kind.code),
            "shortDescription": .object(["text": .string(kind.summary)]),
            "defaultConfiguration": .object(["level": .string(kind.severity.rawValue)]),
          ])
        }),
      "notifications": .array(
        LedgerError.Code.allCases.map { .object(["id": .string($0.rawValue)]) }),
    ])
  ])

  private static let ruleIndex = Dictionary(
    FindingKind.all.enumerated().map { ($0.element.code, $0.offset) },
    uniquingKeysWith: { first, _ in first })

  private func result(_ finding: Finding) -> JSONValue {
    var location: [String: JSONValue] = [
      "physicalLocation": .object([
        "artifactLocation": .object([
          "uri": .string(PercentCoding.encode(finding.key, keepingSlashes: true)),
          "uriBaseId": .string("STORE"),
        ])
      ])
    ]
    if !finding.pointer.isEmpty {
      location["logicalLocations"] = .array([
        .object(["fullyQualifiedName": .string(finding.pointer), "kind": .string("member")])
      ])
    }
    var members: [String: JSONValue] = [
      "ruleId": .string(finding.code), "level": .string(finding.severity.rawValue),
      "message": .object([
        "text": .string("\(finding.message) [\(finding.rule)]; do: \(finding.remedy.words)")
      ]),
      "locations": .array([.object(location)]),
      "partialFingerprints": .object([
        "s3healthFinding/v1": .string("\(finding.code) \(finding.key) \(finding.pointer)")
      ]),
    ]
    members["ruleIndex"] = Self.ruleIndex[finding.code].map { .number(Double($0)) }
    if report.allowsMissing, finding.isMissingDate {
      members["suppressions"] = .array([
        .object(["kind": .string("external"), "justification": .string("--allow-missing")])
      ])
    }
    return .object(members)
  }

  /// The URI to which the keys are relative, with a final slash. The keys include the store's
  /// prefix.
  private var storeURI: String {
    guard report.storeName.hasPrefix("s3://") else {
      return URL(filePath: report.storeName, directoryHint: .isDirectory).absoluteString
    }
    let bucket = report.storeName.dropFirst(5).prefix { $0 != "/" }
    return "s3://\(bucket)/"
  }
}
