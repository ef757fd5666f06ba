import Testing

@testable import HealthRecords
