import HubLoad
import Testing

@Suite("Report: what Linux tells about the hub")
struct ProcessFiguresTests {
  private static let status = "Name:\thub\nVmPeak:\t  90000 kB\nVmRSS:\t   39660 kB\nThreads:\t4\n"

  private func stat(_ name: String) -> String {
    "8039 (\(name)) S 1 2 3 4 5 6 7 8 9 10 250 75 0 0 20 0 4 0 12345 1000 500"
  }

  @Test("times and memory are found, whatever the program is called", arguments: ["hub", "a) (b"])
  func read(name: String) {
    let figures = ProcessFigures(stat: stat(name), status: Self.status, ticksPerSecond: 100)
    #expect(figures == ProcessFigures(cpuMicroseconds: 3_250_000, residentKilobytes: 39_660))
  }

  @Test("anything else is nothing")
  func malformed() {
    #expect(ProcessFigures(stat: "", status: Self.status, ticksPerSecond: 100) == nil)
    #expect(ProcessFigures(stat: "1 (x) S 1", status: Self.status, ticksPerSecond: 100) == nil)
    #expect(ProcessFigures(stat: stat("hub"), status: "", ticksPerSecond: 100) == nil)
  }
}
