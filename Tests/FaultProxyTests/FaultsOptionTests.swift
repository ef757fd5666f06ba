import Testing

@testable import FaultProxy

/// The spelling of `--faults`.
@Suite(.unit) struct FaultsOptionTests {
  @Test func `none is nothing, and all is every fault that can be drawn at a tenth`() throws {
    #expect(try FaultsOption(parsing: "none").chances.isEmpty)
    let all = try FaultsOption(parsing: "all")
    #expect(all.chances.map(\.fault) == ProxyFault.drawn)
    #expect(Set(all.chances.map(\.perMillion)) == [100_000 / ProxyFault.drawn.count])
  }

  @Test func `names, groups, budgets and a rate are read`() throws {
    let option = try FaultsOption(parsing: "drop,truncate=4,503-after=1:2.5%")
    #expect(
      option.chances == [
        .init(.drop, perMillion: 6250), .init(.truncateHead, perMillion: 6250, budget: 4),
        .init(.truncateBody, perMillion: 6250, budget: 4),
        .init(.slowDownAfter, perMillion: 6250, budget: 1),
      ])
    #expect(try FaultsOption(parsing: "drop:100%").chances == [.init(.drop, perMillion: 1_000_000)])
    #expect(try FaultsOption(parsing: "drop:0.0001%").chances == [.init(.drop, perMillion: 1)])
    for fault in ProxyFault.drawn {
      #expect(try FaultsOption(parsing: fault.rawValue).chances.map(\.fault) == [fault])
    }
  }

  @Test(arguments: [
    ("", "\"\" is not a fault"), ("drop,", "\"\" is not a fault"),
    ("Drop", "\"Drop\" is not a fault"),
    ("hold", "\"hold\" is not a fault"), ("none,drop", "\"none\" is not a fault"),
    ("drop,drop", "drop is named twice"), ("all,drop", "drop is named twice"),
    ("drop=", "write the maximum number after ="), ("drop=0", "write the maximum number after ="),
    ("drop=1=2", "write the maximum number after ="),
    ("drop=9999999999", "write the maximum number after ="),
    ("drop:", "is not a rate"), ("drop:5", "is not a rate"), ("drop:%", "is not a rate"),
    ("drop:101%", "is not a rate"), ("drop:100.1%", "is not a rate"), ("drop:0%", "is not a rate"),
    ("drop:-5%", "is not a rate"), ("drop:5.%", "is not a rate"),
    ("drop:0.00001%", "is not a rate"),
    ("drop:5%:6%", "is not a rate"), ("drop\n\u{1B}[31m", "\"drop??[31m\" is not a fault"),
  ])
  func `what is not a spelling is refused, with the part that is wrong`(
    text: String, phrase: String
  ) throws {
    let refusal = try #require(throws: FaultProxyError.self) {
      try FaultsOption(parsing: text)
    }
    #expect(refusal.description.contains(phrase), "\(refusal)")
    #expect(refusal.description.utf8.count < 400)
  }
}
