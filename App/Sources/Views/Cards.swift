import Foundation
import SwiftUI

/// A circle that closes as the goal comes nearer.
struct ProgressRing: View {
  let percentage: Double

  var body: some View {
    ZStack {
      Circle().stroke(Color.secondary.opacity(0.2), lineWidth: 12)
      Circle()
        .trim(from: 0, to: min(1, percentage))
        .stroke(Color.green, style: StrokeStyle(lineWidth: 12, lineCap: .round))
        .rotationEffect(.degrees(-90))
        .animation(.easeInOut, value: percentage)
    }
    .frame(width: 120, height: 120)
    .accessibilityElement()
    .accessibilityLabel("Progress to the goal")
    .accessibilityValue("\(Int(percentage * 100)) percent")
  }
}

/// What shows that numbers follow Health.
struct LiveSign: View {
  @State private var isBright = true

  var body: some View {
    Label("LIVE", systemImage: "circle.fill")
      .font(.caption)
      .foregroundStyle(.red)
      .opacity(isBright ? 1 : 0.3)
      .animation(.easeInOut(duration: 1).repeatForever(), value: isBright)
      .onAppear { isBright = false }
      .accessibilityLabel("Live")
  }
}

/// One number with its title.
struct MetricCard: View {
  let title: String
  let number: String
  let isLive: Bool

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      HStack {
        Text(title).font(.headline)
        Spacer()
        if isLive { LiveSign() }
      }
      Text(number).font(.title).contentTransition(.numericText())
        .animation(.easeInOut, value: number)
    }
    .padding()
    .background(.regularMaterial)
    .cornerRadius(16)
    .accessibilityElement(children: .combine)
  }
}

/// Today's steps with their goal.
struct StepMetricCard: View {
  let steps: Int
  let goal: Int
  let percentage: Double
  let lastUpdated: Date
  let isLive: Bool

  var body: some View {
    VStack(spacing: 12) {
      ProgressRing(percentage: percentage)
      MetricCard(title: "Steps", number: steps.formatted(), isLive: isLive)
      Text("Goal: \(goal.formatted())").font(.subheadline)
      if steps >= goal { Text("Goal reached!").font(.headline).foregroundStyle(.green) }
      Text("Last updated \(lastUpdated.formatted(date: .omitted, time: .shortened))")
        .font(.caption)
        .foregroundStyle(.secondary)
    }
  }
}

/// Today's distance, in kilometres.
struct DistanceMetricCard: View {
  let distance: Double
  let isLive: Bool

  var body: some View {
    MetricCard(
      title: "Distance", number: "\(distance.formatted(.number.precision(.fractionLength(1)))) km",
      isLive: isLive)
  }
}

/// Today's active energy, in kilocalories.
struct EnergyMetricCard: View {
  let energy: Double
  let isLive: Bool

  var body: some View {
    MetricCard(
      title: "Active energy",
      number: "\(energy.formatted(.number.precision(.fractionLength(0)))) kcal", isLive: isLive)
  }
}
