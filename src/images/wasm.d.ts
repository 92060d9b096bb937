/** What is compiled already: every place that bundles the Worker leaves it to workerd to load. */
declare module '*.wasm' {
  const code: WebAssembly.Module
  export default code
}
