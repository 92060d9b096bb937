/** A compiled module: every bundler of the Worker leaves loading it to workerd. */
declare module '*.wasm' {
  const code: WebAssembly.Module
  export default code
}

/** The codec's module, beside a description of what an instance exports. */
declare module '@jsquash/png/codec/pkg/squoosh_png_bg.wasm' {
  const code: WebAssembly.Module
  export default code
}

/** Functions of WebAssembly that wait: the runtime has them, its types do not yet. Source: the JavaScript Promise Integration of WebAssembly. */
declare namespace WebAssembly {
  /** A function that WebAssembly may import; if it returns a promise, WebAssembly waits for that. */
  class Suspending extends Function {
    constructor(work: (...values: number[]) => unknown)
  }
  /** Returns the function with a promise for its result, in which WebAssembly may wait. */
  function promising(work: (...values: number[]) => number): (...values: number[]) => Promise<number>
}
