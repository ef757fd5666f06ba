public import Observation

/// The log viewer, for a view.
@MainActor @Observable
public final class LogModel {
  /// What is shown of it.
  public var filter = LogFilter()
  /// All lines that can be read.
  public private(set) var lines: [LogLine] = []
  /// What could not be read; nil if all is well.
  public private(set) var errorMessage: String?

  @ObservationIgnored private let service: PhoneService

  /// A viewer that has read nothing yet.
  public init(_ service: PhoneService) { self.service = service }

  /// The lines that the filter lets through, the newest first.
  public var shown: [LogLine] { filter.apply(to: lines) }
  /// The types that there are, for the filter.
  public var types: [String] { Set(lines.map(\.type)).sorted() }

  /// Reads the log again.
  public func refresh() async {
    do {
      lines = try await service.logLines()
      errorMessage = nil
    } catch {
      errorMessage = "\(error)"
    }
  }
}
