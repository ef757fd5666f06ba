import Foundation
import HealthModel
import PhoneKit
import SwiftUI

/// The screen of the Pushgateways.
struct GatewaysView: View {
  let model: GatewaysModel

  var body: some View {
    List {
      ForEach(model.machine.gateways) { gateway in
        Section(gateway.url) {
          Text(gateway.instance)
          Button("Test") { Task { await model.send(.test(id: gateway.id)) } }
          switch model.machine.tests[gateway.id] {
          case .running: ProgressView()
          case .succeeded: Label("The test was taken", systemImage: "checkmark.circle.fill")
          case .failed(let reason): Text(reason).foregroundStyle(.red)
          case nil: EmptyView()
          }
          Text(model.machine.lastPush(of: gateway, timeZoneName: TimeZone.current.identifier))
          NavigationLink("Change") { GatewayForm(model: model, gateway: gateway) }
          Button("Remove") { Task { await model.send(.removed(id: gateway.id)) } }
        }
      }
      NavigationLink("Add") { GatewayForm(model: model, gateway: nil) }
        .disabled(!model.machine.mayAdd)
      Link("About pushing", destination: Self.about)
      NavigationLink("Metrics") { MetricsView(model: model) }
      if let message = model.errorMessage { Text(message).foregroundStyle(.red) }
    }
    .navigationTitle("Pushgateways")
    .task { await model.appeared() }
  }

  private static let about =
    URL(string: "https://prometheus.io/docs/instrumenting/pushing/") ?? URL(filePath: "/")
}

/// One Pushgateway: a new one, or one that is changed.
struct GatewayForm: View {
  let model: GatewaysModel
  @State private var gateway: PhoneGateway
  @State private var password = ""
  @Environment(\.dismiss) private var dismiss

  init(model: GatewaysModel, gateway: PhoneGateway?) {
    self.model = model
    _gateway = State(
      initialValue: gateway
        ?? PhoneGateway(id: UUID().uuidString, url: "", instance: model.defaultInstance))
  }

  var body: some View {
    Form {
      TextField("https://gateway.example:9091", text: $gateway.url)
        .keyboardType(.URL)
        .autocorrectionDisabled()
        .accessibilityLabel("Address")
      TextField("Instance", text: $gateway.instance)
      TextField("User; empty for none", text: $gateway.user)
      SecureField("Password; empty to keep it", text: $password)
      Toggle("Push to it", isOn: $gateway.isOn)
      Toggle("Allow plain http", isOn: $gateway.allowsPlaintext)
      Text(GatewaysMachine.plaintextWarning).font(.caption)
      Button("Save") {
        Task {
          await model.save(gateway, password: password.isEmpty ? nil : password)
          dismiss()
        }
      }
      .disabled(gateway.url.isEmpty)
    }
    .navigationTitle("Pushgateway")
  }
}

/// The metrics that are pushed.
struct MetricsView: View {
  let model: GatewaysModel

  var body: some View {
    List {
      Button("All") { Task { await model.send(.choseAll) } }
      Toggle(
        "Current heart rate",
        isOn: Binding(
          get: { @MainActor in model.machine.pushesHeartRate },
          set: { @MainActor isOn in Task { await model.send(.choseHeartRate(isOn)) } }))
      Toggle(
        "Workouts",
        isOn: Binding(
          get: { @MainActor in model.machine.pushesWorkouts },
          set: { @MainActor isOn in Task { await model.send(.choseWorkouts(isOn)) } }))
      ForEach(GatewaysMachine.allMetrics, id: \.self) { metric in
        Toggle(
          metric.rawValue,
          isOn: Binding(
            get: { @MainActor in model.machine.isPushed(metric) },
            set: { @MainActor isOn in Task { await model.send(.chose(metric, isOn: isOn)) } }))
      }
    }
  }
}
