/** What is compiled already: every place that bundles the Worker leaves it to workerd to load. */
declare module '*.wasm' {
  const code: WebAssembly.Module
  export default code
}

/** Beside this one lies a description of what an instance exports. */
declare module '@jsquash/png/codec/pkg/squoosh_png_bg.wasm' {
  const code: WebAssembly.Module
  export default code
}
