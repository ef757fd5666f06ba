import Testing

@testable import PrometheusText
