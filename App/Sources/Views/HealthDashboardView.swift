import HealthCollector
import PhoneKit
import SwiftUI

/// The screen of today.
struct HealthDashboardView: View {
  let model: TodayModel

  var body: some View {
    let viewModel = model.dashboard
    ScrollView {
      LazyVStack(spacing: 20) {
        StepMetricCard(
          steps: viewModel.dailySteps, goal: viewModel.stepGoal,
          percentage: viewModel.stepProgressPercentage, lastUpdated: viewModel.lastUpdated,
          isLive: viewModel.isTracking)
        DistanceMetricCard(distance: viewModel.dailyDistance, isLive: viewModel.isTracking)
        EnergyMetricCard(energy: viewModel.activeEnergy, isLive: viewModel.isTracking)
        ForEach(model.comparisonLines, id: \.self) { line in Text(line).font(.subheadline) }
        ForEach(model.badges, id: \.self) { badge in Label(badge.title, systemImage: "medal") }
        if let message = model.message { Text(message).foregroundStyle(.red) }
      }
      .padding()
    }
    .background(Color(.systemGroupedBackground))
    .refreshable { await model.refresh() }
    .task { await model.appeared() }
    .onDisappear { viewModel.stopLiveTracking() }
  }
}

/// The least view of the live numbers, without the rest of the app.
struct HealthDashboardTestView: View {
  @State private var viewModel = HealthDashboardViewModel()

  var body: some View {
    VStack(spacing: 12) {
      if viewModel.isTracking { LiveSign() }
      Text("\(viewModel.formattedDailySteps) of \(viewModel.formattedStepGoal) steps")
      ProgressView(value: min(1, viewModel.stepProgressPercentage))
      if viewModel.hasReachedStepGoal { Text("Goal reached!") }
      Text(viewModel.formattedDistance)
      Text(viewModel.formattedActiveEnergy)
      Text("Last updated \(viewModel.formattedLastUpdated)")
      if let message = viewModel.errorMessage { Text(message) }
      if !viewModel.isTracking {
        Button("Enable") { Task { await viewModel.requestAuthorizationAndStart() } }
      }
    }
    .padding()
    .task { await viewModel.requestAuthorizationAndStart() }
    .onDisappear { viewModel.stopLiveTracking() }
  }
}
