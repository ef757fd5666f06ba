import Testing

@testable import IngestServer
