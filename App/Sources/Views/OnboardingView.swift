import PhoneKit
import SwiftUI

/// The first steps, a screen each.
struct OnboardingView: View {
  let model: OnboardingModel
  let gateways: GatewaysModel
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
    Button("I agree") { Task { await model.send(.consented) } }
  }

  @ViewBuilder private var receiver: some View {
    Section("Where your data goes") {
      TextField("https://hub.example", text: $address)
        .keyboardType(.URL)
        .autocorrectionDisabled()
        .accessibilityLabel("Endpoint")
      SecureField("Token", text: $token)
    }
    NavigationLink("Use a bucket of my own") {
      BucketView(lines: model.machine.receiverLines) { bucket, id, key in
        await model.enter(bucket, accessKeyID: id, secretAccessKey: key)
        await model.send(.verify)
      }
    }
    NavigationLink("Push to Pushgateways only") {
      GatewaysOnlyView(model: gateways, lines: model.machine.receiverLines) {
        await model.useGatewaysOnly()
      }
    }
    Button("Verify") {
      Task {
        await model.enter(hub: address, token: token)
        await model.send(.verify)
      }
    }
    StatusLines(lines: model.machine.receiverLines)
    proceed
  }

  @ViewBuilder private var permissions: some View {
    ForEach(model.machine.needed, id: \.self) { permission in
      Section(permission.title) {
        Text(permission.why)
        ForEach(permission.reasons, id: \.self) { reason in Text(reason).font(.caption) }
        switch model.machine.permissions[permission] {
        case .granted: Label("Allowed", systemImage: "checkmark.circle.fill")
        case .denied, .whileInUse:
          Text(permission.remedy)
          Button("Open Settings") { Task { await model.send(.ask(permission)) } }
        default: Button("Allow") { Task { await model.send(.ask(permission)) } }
        }
      }
    }
    proceed
  }

  @ViewBuilder private var firstSync: some View {
    StatusLines(lines: model.machine.text)
    ProgressView(value: model.machine.part)
      .accessibilityLabel("First sync")
    Button("Start") { Task { await model.send(.startFirstSync) } }
      .disabled(model.machine.firstSync == .running)
  }

  private var proceed: some View {
    Button("Continue") { Task { await model.send(.proceed) } }
      .disabled(!model.machine.mayProceed)
  }
}

/// A bucket of the person's own, with its keys.
struct BucketView: View {
  let lines: [String]
  let use:
    @MainActor (PhoneReceiver, _ accessKeyID: String, _ secretAccessKey: String) async -> Void
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
          await use(
            .bucket(
              name: name, endpoint: endpoint.isEmpty ? nil : endpoint, region: region,
              prefix: prefix), accessKeyID, secretAccessKey)
        }
      }
      StatusLines(lines: lines)
    }
  }
}

/// Pushgateways without an endpoint or a bucket.
struct GatewaysOnlyView: View {
  let model: GatewaysModel
  let lines: [String]
  let use: @MainActor () async -> Void

  var body: some View {
    VStack {
      GatewaysView(model: model)
      Button("Use these only") { Task { await use() } }
      StatusLines(lines: lines)
    }
  }
}

/// Where the app sends to, and another token, endpoint or bucket.
struct EndpointView: View {
  let model: EndpointModel
  @State private var address = ""
  @State private var token = ""

  var body: some View {
    Form {
      StatusLines(lines: model.machine.lines)
      TextField("https://hub.example", text: $address)
        .keyboardType(.URL)
        .autocorrectionDisabled()
        .accessibilityLabel("Endpoint")
      SecureField("Token", text: $token)
      Button("Verify and use") {
        Task {
          await model.enter(hub: address, token: token)
          await model.send(.verify)
        }
      }
      NavigationLink("Use a bucket of my own") {
        BucketView(lines: model.machine.lines) { bucket, id, key in
          await model.enter(bucket, accessKeyID: id, secretAccessKey: key)
          await model.send(.verify)
        }
      }
      Button("Pushgateways only") { Task { await model.useGatewaysOnly() } }
      if let message = model.errorMessage { Text(message).foregroundStyle(.red) }
    }
    .navigationTitle("Endpoint")
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
