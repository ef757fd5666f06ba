import ArgumentParser
import CommandLineKit

/// Shows that latest.json never goes backwards, and that the race would notice if it did.
@main
struct S3Race: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "s3race",
    abstract: "Show that latest.json never goes backwards, under races, faults and crashes.",
    discussion: """
      Races the same code that `s3health put` and `s3health get` run. On a model of a store, it \
      tries every order of their requests, or random orders. On your store, it runs separate \
      processes with faults and kills, in a scratch folder that it removes afterwards. It also \
      breaks the protocol and the store on purpose, to show that it notices. It finds the store by \
      the configuration file and the settings of s3health.

        s3race
        s3race --store s3://bucket --writers 16 --processes 4 \\
          --duration 60s --faults all:5%
        s3race model --writers 2 --exhaustive
        s3race model --runs 1000000 --seed 7
        s3race replay 7
        s3race check history.jsonl

      EXIT CODES: 0 success, 1 a promise was broken or a control was not caught, 64 invalid \
      arguments or input, 69 storage unavailable, 70 internal error, 77 not authorised, 130 \
      interrupted.
      """,
    version: Program.version,
    subcommands: [
      RaceRunCommand.self, ModelCommand.self, RaceReplayCommand.self, RaceCheckCommand.self,
      RaceWorkerCommand.self,
    ],
    defaultSubcommand: RaceRunCommand.self)

  static func main() async {
    prepare(as: "s3race")
    await run()
  }
}
