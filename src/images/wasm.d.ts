/** A compiled module: bundlers leave loading it to workerd. */
declare module '*.wasm' {
  const code: WebAssembly.Module
  export default code
}

/** The codec's module, with a description of what an instance exports. */
declare module '@jsquash/png/codec/pkg/squoosh_png_bg.wasm' {
  const code: WebAssembly.Module
  export default code
}
