import Testing

@testable import HealthExports

@Suite(.unit) struct PrometheusTextTests {
  @Test func `a family is its help, its type and its samples, with everything escaped`() {
    let text = PrometheusText.text([
      MetricFamily(
        "a_total", .counter, help: "One\nline, a \\ and a \".",
        [
          MetricSample(labels: [.init("x", "q\"\\\n"), .init("y", "")], value: 3),
          MetricSample(value: 0.25),
        ]),
      MetricFamily("empty", .gauge, help: "Nothing.", []),
      MetricFamily(
        "h", .histogram, help: "H.",
        MetricSample.histogram(bounds: [0.5, 2], counts: [1, 2], count: 4, sum: 9.5)),
    ])
    #expect(
      text == #"""
        # HELP a_total One\nline, a \\ and a ".
        # TYPE a_total counter
        a_total{x="q\"\\\n",y=""} 3
        a_total 0.25
        # HELP h H.
        # TYPE h histogram
        h_bucket{le="0.5"} 1
        h_bucket{le="2"} 2
        h_bucket{le="+Inf"} 4
        h_sum 9.5
        h_count 4

        """#)
    #expect(PrometheusText.text([]) == "")
  }

  @Test(arguments: [
    (0.0, "0"), (-0.5, "-0.5"), (1e20, "1e+20"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
    (.nan, "NaN"), (123_456_789, "123456789"),
  ])
  func `numbers have the form that Go reads`(number: Double, text: String) {
    #expect(PrometheusNumber.text(number) == text)
  }

  @Test(arguments: [
    ("a", true), ("a:b_9", true), ("_", true), ("", false), ("9a", false), ("a-b", false),
    ("ä", false),
  ])
  func `names have letters, digits, underscores and colons`(name: String, isValid: Bool) {
    #expect(PrometheusName.isValid(name) == isValid)
  }
}
