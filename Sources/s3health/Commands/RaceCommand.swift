import ArgumentParser

/// `race`: shows that latest.json never regresses, and that what shows it would notice.
struct RaceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "race",
    abstract: "Show that latest.json never goes backwards, under races, faults and crashes.",
    discussion: """
      Races the very code that `put` and `get` run on a model of a store, through every order of \
      their requests or through random ones, and breaks protocol and store on purpose to show \
      that a fault would be noticed. Touches no store. Exits with 1 if a promise was broken.

        s3health race
        s3health race --model --writers 3 --exhaustive
        s3health race --model --runs 1000000 --seed 7
        s3health race replay 7
        s3health race check history.jsonl
      """,
    subcommands: [RaceRunCommand.self, RaceReplayCommand.self, RaceCheckCommand.self],
    defaultSubcommand: RaceRunCommand.self)
}
