import PhoneKit
import SwiftUI

/// The first steps, a screen each.
struct OnboardingView: View {
  let model: OnboardingModel
  @State private var address = ""
  @State private var token = ""

  var body: some View {
    NavigationStack {
      Form {
        switch model.machine.step {
        case .consent: consent
        case .receiver: receiver
        case .permissions: permissions
        case .firstSync, .finished: firstSync
        }
        if let message = model.errorMessage { Text(message).foregroundStyle(.red) }
      }
      .navigationTitle(model.machine.text.first ?? "")
    }
    .task { await model.appeared() }
  }

  @ViewBuilder private var consent: some View {
    Section {
      ForEach(OnboardingMachine.consentWords, id: \.self) { line in Text(line) }
      NavigationLink("Privacy") { PrivacyView() }
    }
    Button("I agree") { Task { await model.consent() } }
  }

  @ViewBuilder private var receiver: some View {
    Section("Where your data goes") {
      TextField("https://hub.example", text: $address)
        .keyboardType(.URL)
        .autocorrectionDisabled()
        .accessibilityLabel("Endpoint")
      SecureField("Token", text: $token)
    }
    NavigationLink("Use a bucket of my own") { BucketView(model: model) }
    Button("Verify") {
      Task {
        await model.enter(hub: address, token: token)
        await model.verify()
      }
    }
    StatusLines(lines: model.machine.receiverLines)
    proceed
  }

  @ViewBuilder private var permissions: some View {
    ForEach(model.machine.needed, id: \.self) { permission in
      Section(permission.title) {
        Text(permission.why)
        switch model.machine.permissions[permission] {
        case .granted: Label("Allowed", systemImage: "checkmark.circle.fill")
        case .denied, .whileInUse:
          Text(permission.remedy)
          Button("Open Settings") { Task { await model.ask(permission) } }
        default: Button("Allow") { Task { await model.ask(permission) } }
        }
      }
    }
    proceed
  }

  @ViewBuilder private var firstSync: some View {
    StatusLines(lines: model.machine.text)
    ProgressView(value: model.machine.part)
      .accessibilityLabel("First sync")
    Button("Start") { Task { await model.startFirstSync() } }
      .disabled(model.machine.firstSync == .running)
  }

  private var proceed: some View {
    Button("Continue") { Task { await model.proceed() } }
      .disabled(!model.machine.mayProceed)
  }
}

/// A bucket of the person's own, with its keys.
struct BucketView: View {
  let model: OnboardingModel
  @State private var name = ""
  @State private var endpoint = ""
  @State private var region = "us-east-1"
  @State private var prefix = ""
  @State private var accessKeyID = ""
  @State private var secretAccessKey = ""

  var body: some View {
    Form {
      TextField("Bucket", text: $name)
      TextField("Endpoint; empty for AWS", text: $endpoint)
      TextField("Region", text: $region)
      TextField("Prefix", text: $prefix)
      TextField("Access key ID", text: $accessKeyID)
      SecureField("Secret access key", text: $secretAccessKey)
      Button("Verify") {
        Task {
          await model.enter(
            .bucket(
              name: name, endpoint: endpoint.isEmpty ? nil : endpoint, region: region,
              prefix: prefix), accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)
          await model.verify()
        }
      }
      StatusLines(lines: model.machine.receiverLines)
    }
  }
}

/// What a machine says, a line each.
struct StatusLines: View {
  let lines: [String]

  var body: some View {
    ForEach(lines, id: \.self) { line in Text(line) }
  }
}

/// What the app does with data, for the person.
struct PrivacyView: View {
  var body: some View {
    ScrollView { Text(OnboardingMachine.privacyStatement).padding() }
      .navigationTitle("Privacy")
  }
}
