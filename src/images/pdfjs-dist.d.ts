/** The used part of the decoders of pictures within PDF; the library declares only its other parts. */
declare module 'pdfjs-dist/image_decoders/pdf.image_decoders.mjs' {
  export class JpegImage {
    readonly width: number
    readonly height: number
    /** The components' values, which are most of the memory. */
    readonly components: readonly { readonly output: Int16Array<ArrayBuffer> }[]
    /** @throws anything */
    parse(bytes: Uint8Array): void
    /**
     * Scales to the nearest pixels, at any size. Returns three bytes for each in spite of `forceRGBA` if the
     * file has three.
     */
    getData(form: { width: number; height: number; forceRGBA: boolean }): Uint8ClampedArray<ArrayBuffer>
  }
  export const VerbosityLevel: { readonly ERRORS: number }
  export function setVerbosityLevel(level: number): void
}
