import ArgumentParser

/// `token`: the tokens of devices (R54).
struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Make, list and revoke the tokens of devices, and revoke agents.",
    discussion: """
      A token identifies a device and limits what it may do. It is shown once, when it is made. Only \
      its SHA-256 is kept, in a file that only you can read. A running server notices a change \
      within seconds.

        s3healthd token add phone --app overland --url https://health.home:8443
        s3healthd token list
        s3healthd token revoke phone
      """,
    subcommands: [TokenAddCommand.self, TokenListCommand.self, TokenRevokeCommand.self])
}
