import Foundation
import HealthModel
import HealthStreams
import PhoneKit
import SwiftUI

/// The phone's zone now, which a flight changes while the app runs.
private var zone: String { TimeZone.current.identifier }

/// The screen of the sync.
struct SyncView: View {
  let model: SyncModel

  var body: some View {
    List {
      Section("Queue") {
        ForEach(StreamName.collected, id: \.self) { stream in
          let counts = model.machine.status?.streamCounts[stream]
          LabeledContent(stream.shortName, value: "\(counts?.pending ?? 0)")
            .accessibilityLabel("\(counts?.pending ?? 0) entries of \(stream.shortName) wait")
        }
      }
      StatusLines(lines: model.machine.text(timeZoneName: zone))
      Button("Sync now") { Task { await model.send(.syncNow) } }.disabled(!model.machine.maySync)
      Button("Retry failed") { Task { await model.send(.retryFailed) } }
        .disabled(!model.machine.mayRetry)
      if let message = model.errorMessage { Text(message).foregroundStyle(.red) }
    }
    .task { await model.send(.returned) }
  }
}

/// The screen of the records.
struct RecordsView: View {
  let model: RecordsModel

  var body: some View {
    List {
      StatusLines(lines: model.machine.text(timeZoneName: zone))
      switch model.machine.phase {
      case .disconnected, .asking: Button("Connect") { Task { await model.send(.connect) } }
      case .denied: Button("Open Settings") { Task { await model.send(.openSettings) } }
      case .backfilling, .syncing: ProgressView(value: model.machine.part)
      case .upToDate, .failed: Button("Sync now") { Task { await model.send(.syncNow) } }
      }
      Button("Disconnect") { Task { await model.send(.disconnect) } }
        .disabled(!model.machine.isConnected)
    }
  }
}

/// The log viewer.
struct LogView: View {
  @Bindable var model: LogModel

  var body: some View {
    List {
      Toggle("Only errors", isOn: $model.filter.onlyErrors)
      Picker("Kind", selection: $model.filter.onlyType) {
        Text("All").tag(String?.none)
        ForEach(model.types, id: \.self) { type in Text(type).tag(String?.some(type)) }
      }
      TextField("Search", text: $model.filter.text)
      ForEach(model.shown, id: \.self) { line in
        VStack(alignment: .leading) {
          Text("\(line.timestamp) \(line.type)").font(.caption)
          Text(line.message)
        }
        .accessibilityElement(children: .combine)
      }
    }
    .navigationTitle("Log")
    .task { await model.refresh() }
    .refreshable { await model.refresh() }
  }
}

/// The screen of the settings.
struct SettingsView: View {
  let model: SettingsModel
  let endpoint: EndpointModel
  let log: LogModel

  var body: some View {
    NavigationStack {
      Form {
        Section("Streams") {
          ForEach(model.machine.streams, id: \.self) { stream in
            Toggle(stream.shortName, isOn: binding(stream))
          }
        }
        ForEach(model.machine.missing, id: \.self) { permission in
          Text("E005: \(permission.title) is not allowed. \(permission.remedy)")
            .foregroundStyle(.red)
          Button("Open Settings") { Task { await model.openSettings() } }
        }
        NavigationLink("Endpoint") { EndpointView(model: endpoint) }
        Section("Audio Input") {
          ForEach(model.machine.inputs) { input in
            Button(input.name) { send(.choseInput(input.id)) }
              .disabled(input == model.machine.usedInput)
          }
        }
        Stepper(
          "Goal: \(model.machine.settings.stepGoal)", onIncrement: { goal(500) },
          onDecrement: { goal(-500) })
        Stepper(
          "Sync and push: every \(model.machine.settings.intervalMinutes) min",
          onIncrement: { send(.setInterval(minutes: model.machine.longerInterval)) },
          onDecrement: { send(.setInterval(minutes: model.machine.shorterInterval)) })
        Stepper(
          "Notifications: every \(model.machine.settings.notifyHours) h",
          onIncrement: { notify(1) }, onDecrement: { notify(-1) })
        Button(model.machine.settings.isRunning ? "Stop" : "Start") {
          send(model.machine.settings.isRunning ? .stop : .start)
        }
        NavigationLink("Log") { LogView(model: log) }
        NavigationLink("Privacy") { PrivacyView() }
        if let message = model.errorMessage { Text(message).foregroundStyle(.red) }
      }
      .navigationTitle("Settings")
    }
  }

  private func send(_ event: SettingsMachine.Event) { Task { await model.send(event) } }
  private func goal(_ more: Int) { send(.setGoal(model.machine.settings.stepGoal + more)) }
  private func notify(_ more: Int) {
    send(.setNotifyHours(model.machine.settings.notifyHours + more))
  }

  private func binding(_ stream: StreamName) -> Binding<Bool> {
    Binding(
      get: { @MainActor in model.machine.settings.streams.contains(stream) },
      set: { @MainActor isOn in send(.turned(stream, isOn: isOn)) })
  }
}
