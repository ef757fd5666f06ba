// swift-format-ignore-file
// Of SwiftUI what the app uses, as Apple documents it. Only for the type check.
import Foundation
@_exported import Observation
import UIKit

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
public protocol Primitive: View where Body == Never {}
extension Primitive { public var body: Never { fatalError() } }

public struct EmptyView: Primitive { public nonisolated init() {} }
public struct TupleView<T>: Primitive {}
public struct ConditionalContent<A, B>: Primitive {}
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }
public struct ModifiedView: Primitive {}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { fatalError() }
  public static func buildBlock<C: View>(_ content: C) -> C { content }
  public static func buildBlock<each C: View>(_ content: repeat each C) -> TupleView<
    (repeat each C)
  > { fatalError() }
  public static func buildExpression<C: View>(_ content: C) -> C { content }
  public static func buildIf<C: View>(_ content: C?) -> C? { content }
  public static func buildEither<A: View, B: View>(first: A) -> ConditionalContent<A, B> {
    fatalError()
  }
  public static func buildEither<A: View, B: View>(second: B) -> ConditionalContent<A, B> {
    fatalError()
  }
}

@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: Scene {}
@resultBuilder public enum SceneBuilder {
  public static func buildBlock<C: Scene>(_ content: C) -> C { content }
}
public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { fatalError() }
}
extension Scene {
  public func onChange<V: Equatable>(
    of value: V, initial: Bool = false, _ action: @escaping (V, V) -> Void
  )
    -> some Scene
  { self }
}
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}
extension App { @MainActor public static func main() {} }
public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

public struct EnvironmentValues: Sendable {
  public var scenePhase: ScenePhase { .active }
  public var dismiss: DismissAction { DismissAction() }
}
@MainActor @preconcurrency public struct DismissAction: Sendable {
  nonisolated init() {}
  public func callAsFunction() {}
}
@propertyWrapper public struct Environment<Value> {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() }
}
@MainActor @propertyWrapper
public struct UIApplicationDelegateAdaptor<D: NSObject & UIApplicationDelegate> {
  public init(_ type: D.Type = D.self) {}
  public var wrappedValue: D { fatalError() }
}
@propertyWrapper public struct State<Value> {
  public init(wrappedValue: Value) {}
  public init(initialValue value: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  @preconcurrency public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public subscript<S>(dynamicMember path: WritableKeyPath<Value, S>) -> Binding<S> { fatalError() }
}
@dynamicMemberLookup @propertyWrapper public struct Bindable<Value> {
  public init(wrappedValue: Value) where Value: AnyObject, Value: Observable {}
  public var wrappedValue: Value {
    get { fatalError() }
    set {}
  }
  public var projectedValue: Bindable<Value> { self }
  public subscript<S>(dynamicMember path: ReferenceWritableKeyPath<Value, S>) -> Binding<S>
  where Value: AnyObject { fatalError() }
}

// MARK: - Views

public struct Group<Content: View>: Primitive {
  public init(@ViewBuilder content: () -> Content) {}
}
public struct Text: Primitive {
  public init<S: StringProtocol>(_ content: S) {}
}
public struct Label: Primitive {
  public init<S: StringProtocol>(_ title: S, systemImage: String) {}
}
public struct LabeledContent: Primitive {
  public init<S: StringProtocol, V: StringProtocol>(_ title: S, value: V) {}
}
public struct Spacer: Primitive { public init() {} }
public struct HorizontalAlignment: Sendable {
  public static let leading = HorizontalAlignment()
  public static let center = HorizontalAlignment()
}
public struct VStack<C: View>: Primitive {
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> C
  ) {}
}
public struct LazyVStack<C: View>: Primitive {
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> C
  ) {}
}
public struct HStack<C: View>: Primitive { public init(@ViewBuilder content: () -> C) {} }
public struct ZStack<C: View>: Primitive { public init(@ViewBuilder content: () -> C) {} }
public struct ScrollView<C: View>: Primitive { public init(@ViewBuilder content: () -> C) {} }
public struct List<C: View>: Primitive { public init(@ViewBuilder content: () -> C) {} }
public struct Form<C: View>: Primitive { public init(@ViewBuilder content: () -> C) {} }
public struct TabView<C: View>: Primitive { public init(@ViewBuilder content: () -> C) {} }
public struct NavigationStack<C: View>: Primitive { public init(@ViewBuilder root: () -> C) {} }
public struct Section<C: View>: Primitive {
  public init(@ViewBuilder content: () -> C) {}
  public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> C) {}
}
public struct NavigationLink<D: View>: Primitive {
  public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> D) {}
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, C: View>: Primitive {
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> C
  ) {}
}
extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> C) {}
}
public struct Button: Primitive {
  @preconcurrency public init<S: StringProtocol>(
    _ title: S, action: @escaping @MainActor () -> Void
  ) {}
}
public struct Stepper: Primitive {
  public init<S: StringProtocol>(_ title: S, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?)
  {}
}
public struct Toggle: Primitive {
  public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {}
}
public struct Picker<Selection: Hashable, C: View>: Primitive {
  public init<S: StringProtocol>(
    _ title: S, selection: Binding<Selection>, @ViewBuilder content: () -> C
  ) {}
}
public struct TextField: Primitive {
  public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
}
public struct SecureField: Primitive {
  public init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
}
public struct Link: Primitive { public init<S: StringProtocol>(_ title: S, destination: URL) {} }
public struct ProgressView: Primitive {
  public init() {}
  public init<V: BinaryFloatingPoint>(value: V?, total: V = 1.0) {}
}

// MARK: - Shapes and styles

public protocol ShapeStyle: Sendable {}
public struct Color: Primitive, ShapeStyle {
  public nonisolated init(_ color: UIColor) {}
  public static var secondary: Color { fatalError() }
  public static var green: Color { fatalError() }
  public static var red: Color { fatalError() }
  public func opacity(_ opacity: Double) -> Color { self }
}
extension ShapeStyle where Self == Color {
  public static var red: Color { fatalError() }
  public static var green: Color { fatalError() }
  public static var secondary: Color { fatalError() }
}
public struct Material: ShapeStyle {}
extension ShapeStyle where Self == Material {
  public static var regularMaterial: Material { fatalError() }
}
public enum CGLineCap: Sendable { case butt, round, square }
public struct StrokeStyle: Sendable {
  public init(lineWidth: CGFloat = 1, lineCap: CGLineCap = .butt) {}
}
public protocol Shape: Primitive {}
public struct Circle: Shape { public init() {} }
public struct AnyTrimmed: Shape {}
extension Shape {
  public func stroke<S: ShapeStyle>(_ content: S, lineWidth: CGFloat = 1) -> some View {
    ModifiedView()
  }
  public func stroke<S: ShapeStyle>(_ content: S, style: StrokeStyle) -> some View {
    ModifiedView()
  }
  public func trim(from: CGFloat = 0, to: CGFloat = 1) -> some Shape { AnyTrimmed() }
}
public struct Angle: Sendable { public static func degrees(_ degrees: Double) -> Angle { Angle() } }
public struct Animation: Sendable {
  public static var easeInOut: Animation { Animation() }
  public static func easeInOut(duration: TimeInterval) -> Animation { Animation() }
  public func repeatForever(autoreverses: Bool = true) -> Animation { self }
}
public struct Font: Sendable {
  public static let headline = Font()
  public static let subheadline = Font()
  public static let title = Font()
  public static let caption = Font()
}
public struct ContentTransition: Sendable {
  public static func numericText(countsDown: Bool = false) -> ContentTransition {
    ContentTransition()
  }
}
public struct AccessibilityChildBehavior: Sendable {
  public static let combine = AccessibilityChildBehavior()
  public static let ignore = AccessibilityChildBehavior()
}

// MARK: - Modifiers

extension View {
  public func task(_ action: sending @escaping @isolated(any) () async -> Void) -> some View {
    self
  }
  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
  public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
  public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View { self }
  public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }
  public func padding() -> some View { self }
  public func background<S: ShapeStyle>(_ style: S) -> some View { self }
  public func cornerRadius(_ radius: CGFloat) -> some View { self }
  public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View { self }
  public func font(_ font: Font?) -> some View { self }
  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { self }
  public func opacity(_ opacity: Double) -> some View { self }
  public func rotationEffect(_ angle: Angle) -> some View { self }
  public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { self }
  public func contentTransition(_ transition: ContentTransition) -> some View { self }
  public func disabled(_ disabled: Bool) -> some View { self }
  public func tag<V: Hashable>(_ tag: V) -> some View { self }
  public func keyboardType(_ type: UIKeyboardType) -> some View { self }
  public func autocorrectionDisabled(_ disable: Bool = true) -> some View { self }
  public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
    self
  }
  public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { self }
  public func accessibilityValue<S: StringProtocol>(_ value: S) -> some View { self }
}
