/** A module that is compiled already: every bundler of the Worker leaves it to workerd to load. */
declare module '*.wasm' {
  const code: WebAssembly.Module
  export default code
}

/** The module of the codec, beside which lies a description of what an instance exports. */
declare module '@jsquash/png/codec/pkg/squoosh_png_bg.wasm' {
  const code: WebAssembly.Module
  export default code
}
