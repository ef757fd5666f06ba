import ArgumentParser

/// `race`: shows that latest.json never regresses, and that what shows it would notice.
struct RaceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "race",
    abstract: "Show that latest.json never goes backwards, under races, faults and crashes.",
    discussion: """
      Races the very code that `put` and `get` run: on a model of a store, through every order of \
      their requests or through random ones, and on your store, by separate processes with faults \
      and kills, in a scratch folder of its own that it removes. Breaks protocol and store on \
      purpose to show that a fault would be noticed. Exits with 1 if a promise was broken.

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
