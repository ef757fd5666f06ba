import ArgumentParser

/// A span of time as `60s`, `5m` or `1h`.
struct DurationArgument: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
    guard let unit = argument.last.flatMap({ units[$0] }), let count = Int(argument.dropLast()),
      (1...100_000).contains(count), argument.utf8.first != UInt8(ascii: "+")
    else { return nil }
    duration = .seconds(count * unit)
  }
}
