import ArgumentParser

/// `race`: shows that latest.json never goes backwards, and that the race would notice if it did.
struct RaceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "race",
    abstract: "Show that latest.json never goes backwards, under races, faults and crashes.",
    discussion: """
      Races the same code that `put` and `get` run. On a model of a store, it tries every order of \
      their requests, or random orders. On your store, it runs separate processes with faults and \
      kills, in a scratch folder that it removes afterwards. It also breaks the protocol and the \
      store on purpose, to show that it notices. Exits with 1 if a promise was broken.

        s3health race
        s3health race --store s3://bucket --writers 16 --processes 4 \\
          --duration 60s --faults all:5%
        s3health race --model --writers 3 --exhaustive
        s3health race --model --runs 1000000 --seed 7
        s3health race replay 7
        s3health race check history.jsonl
      """,
    subcommands: [
      RaceRunCommand.self, RaceReplayCommand.self, RaceCheckCommand.self, RaceWorkerCommand.self,
    ],
    defaultSubcommand: RaceRunCommand.self)
}
