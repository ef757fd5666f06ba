import ArgumentParser

/// What a race takes a store's conditional writes for, whatever was found.
enum AssumeArgument: String, ExpressibleByArgument, CaseIterable {
  case compareAndSwap = "compare-and-swap"
}
