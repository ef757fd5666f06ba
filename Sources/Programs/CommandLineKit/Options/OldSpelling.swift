import HealthLedger

/// What a command line once took, and what says the same now. To be removed after 0.1.0.
struct OldSpelling {
  /// The old spelling is refused with this.
  let refusal: LedgerError

  /// The first old spelling of a command line that could not be parsed; nil if it has none.
  init?(_ arguments: some Sequence<String>) {
    let words = Array(arguments.prefix { $0 != "--" })
    for (place, word) in words.enumerated() {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      let value = parts.count == 2 ? parts[1] : words.dropFirst(place + 1).first
      switch (parts.first, value) {
      case (let option?, _) where Self.settings[option] != nil:
        let (setting, variable) = Self.settings[option] ?? ("", "")
        refusal = LedgerError(
          .invalidArguments, "\(option) is not an option but a setting of the store: \(setting)",
          remedy: .text("run `s3health config set \(setting) VALUE`, or set \(variable)"))
      case ("--from-export", _):
        refusal = LedgerError(
          .invalidArguments, "there is no option --from-export",
          remedy: "use --input, which takes an Apple Health export too")
      case ("--output", "csv"), ("-o", "csv"):
        refusal = LedgerError(
          .invalidArguments, "there is no output csv",
          remedy: "use `s3health export csv`, which writes days as a table")
      default: continue
      }
      return
    }
    return nil
  }

  /// The options that became settings of the store, each with the setting and its variable.
  private static let settings = [
    "--addressing-style": ("addressing_style", "S3HEALTH_ADDRESSING_STYLE"),
    "--sse": ("sse", "S3HEALTH_SSE"),
    "--sse-kms-key-id": ("sse_kms_key_id", "S3HEALTH_SSE_KMS_KEY_ID"),
    "--max-attempts": ("max_attempts", "AWS_MAX_ATTEMPTS"),
    "--cache-size": ("cache_size", "S3HEALTH_CACHE_SIZE"),
  ]
}
