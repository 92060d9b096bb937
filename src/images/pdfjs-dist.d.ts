/** The part that is used of the decoders of pictures within PDF; the library describes only its other parts. */
declare module 'pdfjs-dist/image_decoders/pdf.image_decoders.mjs' {
  export class JpegImage {
    readonly width: number
    readonly height: number
    /** The values of each, that is most of the memory. */
    readonly components: readonly { readonly output: Int16Array<ArrayBuffer> }[]
    /** @throws anything */
    parse(bytes: Uint8Array): void
    /** The nearest pixels, at any size. Three bytes for each in spite of `forceRGBA` where the file has these. */
    getData(form: { width: number; height: number; forceRGBA: boolean }): Uint8ClampedArray<ArrayBuffer>
  }
  export const VerbosityLevel: { readonly ERRORS: number }
  export function setVerbosityLevel(level: number): void
}
