import Foundation
import HubStage
import SeededRandom

/// Feeds the frame decoder, the codec and the snapshot reader with what nobody should send.
///
/// hub-fuzz [--seconds N] [--seed S] [--target NAME] [--case N]   # one case alone with --case
///
/// A case is made of seed, target and number only. What is wrong with one is printed with them, and
/// the status is 1; before each hundred cases their numbers are printed, for the one that traps.
@main
struct HubFuzz {
  static let block = 100

  static func main() throws {
    let options = try Options(CommandLine.arguments.dropFirst())
    print("hub-fuzz --seed \(options.seed): \(options.seconds) s")
    let corpus = try Corpus(options.vectors)
    var fuzzers: [any Fuzzer] = [
      FrameFuzzer(), CodecFuzzer(corpus), ImageFuzzer(), try FileFuzzer(),
    ]
    fuzzers = fuzzers.filter { options.target == nil || options.target == $0.name }
    if let number = options.number {
      for fuzzer in fuzzers { run(fuzzer, number..<number + 1, options.seed) }
      return
    }
    let end = Date(timeIntervalSinceNow: options.seconds)
    var counts = fuzzers.map { _ in 0 }
    while Date() < end {
      for (index, fuzzer) in fuzzers.enumerated() {
        let slice = Date(timeIntervalSinceNow: min(1, options.seconds / 8))
        while Date() < min(slice, end) {
          run(fuzzer, counts[index]..<counts[index] + block, options.seed)
          counts[index] += block
        }
      }
    }
    for (fuzzer, count) in zip(fuzzers, counts) { print("\(fuzzer.name): \(count) cases, well") }
  }

  private static func run(_ fuzzer: any Fuzzer, _ numbers: Range<Int>, _ seed: UInt64) {
    FileHandle.standardError.write(Data("\(fuzzer.name) \(numbers)\r".utf8))
    for number in numbers {
      var random = SplitMix64(seed: seed ^ UInt64(number) &* 0xD134_2543_DE82_EF95)
      guard let flaw = fuzzer.flaw(&random) else { continue }
      print("hub-fuzz --seed \(seed) --target \(fuzzer.name) --case \(number)\n\(flaw)")
      exit(1)
    }
  }
}

/// What the command line asks for.
struct Options {
  var seconds = 15.0
  var seed = UInt64.random(in: 0 ... .max)
  var target: String?
  var number: Int?
  /// The directory of the golden vectors.
  var vectors = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("protocol/vectors").path

  struct Unknown: Error {
    let argument: String
  }

  init(_ arguments: some Collection<String>) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Unknown(argument: name) }
      switch name {
      case "--seconds": seconds = Double(value) ?? seconds
      case "--seed": seed = UInt64(value) ?? seed
      case "--target": target = value
      case "--case": number = Int(value)
      case "--vectors": vectors = value
      default: throw Unknown(argument: name)
      }
    }
  }
}

/// One thing that is fed with cases.
protocol Fuzzer {
  var name: String { get }

  /// Makes a case and tries it; what was wrong, with the case.
  func flaw(_ random: inout SplitMix64) -> String?
}

/// Texts and snapshots to begin with.
struct Corpus {
  private struct Vector: Decodable {
    var `in`: String?
    var out: String?
    var request: String?
  }

  let requests: [[UInt8]]
  let answers: [[UInt8]]

  init(_ vectors: String) throws {
    func texts(_ name: String, _ pick: (Vector) -> [String?]) throws -> [[UInt8]] {
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(vectors)/\(name).json"))
      return try JSONDecoder().decode([Vector].self, from: data).flatMap(pick).compactMap { text in
        text.map { Array($0.utf8) }
      }
    }
    requests = try texts("requests") { [$0.in, $0.request] }
    answers = try texts("replies") { [$0.out] } + texts("events") { [$0.out] }
  }
}
