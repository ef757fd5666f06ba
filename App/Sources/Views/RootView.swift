import PhoneKit
import SwiftUI

/// The first steps until they are finished, then the screens.
struct RootView: View {
  let start: AppStart

  var body: some View {
    Group {
      if let model = start.model {
        if model.onboarding.isFinished {
          Screens(model: model)
        } else {
          OnboardingView(model: model.onboarding, gateways: model.gateways)
        }
      } else if let message = start.errorMessage {
        Text(message)
      } else {
        ProgressView()
      }
    }
    .task { await start.launch() }
  }
}

/// The screens, one tab each.
struct Screens: View {
  let model: PhoneModel

  var body: some View {
    TabView {
      HealthDashboardView(model: model.today)
        .tabItem { Label("Today", systemImage: "figure.walk") }
      SyncView(model: model.sync)
        .tabItem { Label("Sync", systemImage: "arrow.triangle.2.circlepath") }
      NavigationStack { GatewaysView(model: model.gateways) }
        .tabItem { Label("Gateways", systemImage: "chart.xyaxis.line") }
      RecordsView(model: model.records)
        .tabItem { Label("Records", systemImage: "tablecells") }
      SettingsView(model: model.settings, endpoint: model.endpoint, log: model.log)
        .tabItem { Label("Settings", systemImage: "gear") }
    }
  }
}
