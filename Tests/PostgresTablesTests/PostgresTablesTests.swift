import Testing

@testable import PostgresTables
