import Testing

@testable import FaultProxy

/// The plan is a value, and its course a pure function of the requests.
@Suite struct PlanTests {
}
