internal import AppleExport
import HealthModel

/// The sources of an export and their places in the order that decides between them.
///
/// A source has two numbers: one for what it measured, one for what the person typed in.
struct SourceTable {
  let sources: [ExportSource]
  /// By number.
  let order: [SourcePriority]

  init(_ sources: [ExportSource], preferred: [String]) {
    self.sources = sources
    let preferred = preferred.map(SourceName.init)
    order = sources.flatMap { source in
      [false, true].map {
        SourcePriority(
          name: source.name, hardware: source.hardware, isUserEntered: $0, preferred: preferred)
      }
    }
  }

  static func number(_ sample: ExportSample) -> Int {
    Int(sample.source) * 2 + (sample.isUserEntered ? 1 : 0)
  }

  /// The source of a number.
  func source(_ number: Int) -> ExportSource { sources[number / 2] }
  func isUserEntered(_ number: Int) -> Bool { number % 2 == 1 }

  /// What the label `source` says of a number (R57).
  func label(_ number: Int) -> String {
    let source = source(number)
    return SourceLabel.text(
      name: source.name, hardware: source.hardware, isUserEntered: isUserEntered(number))
  }
}

extension ExportSource {
  /// The name and, where it is known, the hardware: `Ann's Watch (Watch6,2)`.
  package var label: String { hardware.isEmpty ? name : "\(name) (\(hardware))" }
}
