import AppleExport
import Testing

/// Which elements count, and how the scan finds back where the file is broken.
@Suite(.unit) struct StructureTests {
  private func steps(_ value: Int, _ rest: String = "/>") -> String {
    """
    <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
    startDate="2024-06-15 20:30:00 +0200" endDate="2024-06-15 20:31:00 +0200" value="\(value)"\(rest)
    """
  }

  private func values(_ content: String) throws -> [Double] {
    try ExportScanner.content(content).samples.map(\.value)
  }

  @Test func `R18: records inside a correlation are reported as such`() throws {
    let content =
      "<Correlation type=\"x\"><MetadataEntry key=\"a\" value=\"b\"/>" + steps(1)
      + steps(2, "><MetadataEntry key=\"HKTimeZone\" value=\"Asia/Tokyo\"/></Record>")
      + "</Correlation>" + steps(3)
    let found = try ExportScanner.content(content)
    #expect(found.samples.map(\.value) == [1, 2, 3])
    #expect(found.samples.map(\.isInCorrelation) == [true, true, false])
    #expect(found.timeZones == [])
    #expect(ExportScanner.scan(Array(("<HealthData>" + content).utf8)).recordCount == 1)
  }

  @Test func `records inside an element that is not known are not top-level`() throws {
    #expect(try values("<New><Record/>" + steps(1) + "</New>" + steps(2)) == [2])
  }

  @Test func `what comments, CDATA and instructions hold is not a record`() throws {
    let content =
      "<!-- " + steps(1) + "-->" + "<![CDATA[" + steps(2) + "]]>" + "<?x " + steps(3) + "?>"
      + "<!-->-- ]]> ?> " + steps(4) + "--><!---->" + steps(5)
    #expect(try values(content) == [5])
  }

  @Test func `a mark inside quotes ends no tag`() throws {
    #expect(try values(steps(1).replacing("Phone", with: "a > b /> ' c")) == [1])
  }

  @Test func `metadata shows which samples were entered by hand, and where`() throws {
    let found = try ExportScanner.content(
      steps(
        1,
        """
        ><MetadataEntry key="HKTimeZone" value="Europe/Paris"/>
        <MetadataEntry value="1" key="HKWasUserEntered"/></Record>
        """) + steps(2, "><MetadataEntry key=\"HKWasUserEntered\" value=\"0\"/></Record>")
        + steps(3))
    #expect(found.timeZones == ["Europe/Paris"])
    #expect(found.samples.map(\.isUserEntered) == [true, false, false])
  }

  @Test func `metadata of metadata is not the record's`() throws {
    let found = try ExportScanner.content(
      steps(1, "><X><MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/></X></Record>"))
    #expect(found.samples.map(\.isUserEntered) == [false])
  }

  @Test func `a lost end tag hides nothing after it`() throws {
    let workout =
      """
      <Workout workoutActivityType="HKWorkoutActivityTypeYoga" sourceName="Watch" \
      startDate="2024-06-15 20:30:00 +0200" endDate="2024-06-15 20:31:00 +0200">
      """
    #expect(try values(steps(1, ">") + steps(2, "><X>") + steps(3)) == [1, 2, 3])
    let found = try ExportScanner.content(workout + steps(1) + workout + "</Workout>" + steps(2))
    #expect(found.samples.map(\.value) == [1, 2])
    #expect(found.workouts.map(\.activity) == ["Yoga", "Yoga"])
  }

  @Test(arguments: [
    "<Workout workoutActivityType=\"HKWorkoutActivityTypeYoga\" sourceName=\"W\" "
      + "startDate=\"2024-06-15 20:30:00 +0200\" endDate=\"2024-06-15 20:31:00 +0200\"/>",
    "<ActivitySummary dateComponents=\"2024-06-15\"/>",
    "<Correlation type=\"y\"></Correlation>",
    "",
  ])
  func `R18: a lost end tag of a correlation hides no record`(next: String) throws {
    // The first record is the correlation's and stands again at top level: the day counts it once.
    let found = try ExportScanner.content(
      steps(1) + "<Correlation type=\"x\"><MetadataEntry key=\"a\" value=\"b\"/>" + steps(1)
        + steps(2, "><MetadataEntry key=\"HKTimeZone\" value=\"Asia/Tokyo\"/></Record>") + next
        + steps(3))
    #expect(Set(found.samples.map(\.value)) == [1, 2, 3])
    #expect(!found.samples.contains { $0.isInCorrelation })
    #expect(found.timeZones == ["Asia/Tokyo"])
  }

  @Test func `R18: a correlation that never ends hides nothing, however long the file`() throws {
    let all = (1...2000).map { steps($0) }.joined(separator: "\n")
    let document = Array(
      ("<HealthData locale=\"en\"><Correlation type=\"x\">" + all + "</HealthData>").utf8)
    let scanner = ExportScanner.scan(document, pieces: { _ in 700 })
    var findings = Findings()
    for finding in scanner.findings { findings.take(finding) }
    #expect(findings.samples.map(\.value) == (1...2000).map(Double.init))
    #expect(scanner.recordCount == 2000)
    let sound = try ExportScanner.content("<Correlation type=\"x\">" + steps(1) + "</Correlation>")
    #expect(sound.samples.map(\.isInCorrelation) == [true])
  }

  @Test func `an end tag too many closes nothing`() throws {
    #expect(try values("</Record></X>" + steps(1) + "</Workout>" + steps(2)) == [1, 2])
  }

  @Test(arguments: [
    ("<Record type=\"HKQuantityTypeIdentifierStepCount\" value=\"1", 1), ("<Record type=HK/>", 1),
    ("<Record type=\"HKQuantityTypeIdentifierStepCount\" value/>", 1), ("<Record \"a\"/>", 1),
    ("<Record type=\"HKQuantityTypeIdentifierStepCount\"value=\"1\"/", 1), ("<", 1),
    ("< Record/>", 1), ("<Record type='a<b'", 2),
  ])
  func `a broken tag is skipped, counted, and hides nothing`(broken: String, count: Int) throws {
    let found = try ExportScanner.content(steps(1) + broken + " " + steps(2) + steps(3))
    #expect(found.samples.map(\.value) == [1, 2, 3])
    #expect(found.skipped == Array(repeating: .init(.malformed), count: count))
  }

  @Test func `an attribute of 10 MB is skipped and counted`() throws {
    let long = String(repeating: "x", count: 10 << 20)
    let found = try ExportScanner.content(
      steps(1) + steps(2).replacing("Phone", with: long) + steps(3, " a=\"\(long)\">")
        + "<MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/></Record>" + steps(4))
    #expect(found.samples.map(\.value) == [1, 4])
    #expect(found.skipped == [.init(.tooLarge), .init(.tooLarge)])
  }

  @Test func `more sources than a person has are skipped and counted`() throws {
    let names = (0..<4100).map { steps($0).replacing("Phone", with: "app \($0)") }
    let found = try ExportScanner.content(names.joined())
    #expect(found.sources.count == 4096)
    #expect(found.samples.count == 4096)
    #expect(found.skipped == Array(repeating: .init(.tooManySources, .stepCount), count: 4))
  }

  @Test func `a source whose name is too long is skipped and counted`() throws {
    let name = String(repeating: "n", count: 1025)
    let found = try ExportScanner.content(steps(1).replacing("Phone", with: name))
    #expect(found.skipped == [.init(.tooLarge, .stepCount)])
  }

  @Test func `elements nested 100,000 deep cost no memory and hide nothing`() throws {
    let deep = 100_000
    let content =
      String(repeating: "<a>", count: deep) + steps(1) + String(repeating: "</a>", count: deep)
    #expect(try values(content + steps(2)) == [2])
  }

  @Test func `activity summaries are reported, and a day that is not valid is skipped`() throws {
    let found = try ExportScanner.content(
      """
      <ActivitySummary dateComponents="2024-06-08" activeEnergyBurned="418.4" \
      activeEnergyBurnedGoal="500" activeEnergyBurnedUnit="kJ" appleMoveTime="1" \
      appleExerciseTime="7" appleStandHours="11"/>
      <ActivitySummary dateComponents="2024-06-31"/>
      """)
    let summary = ActivitySummary(
      date: "2024-06-08", activeEnergy: 418.4 / 4.184, activeEnergyGoal: 500 / 4.184,
      exerciseMinutes: 7, moveMinutes: 1, standHours: 11)
    #expect(found.summaries == [summary])
    #expect(found.skipped == [.init(.date)])
  }
}
