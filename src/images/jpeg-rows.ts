import type { Component, JpegFrame } from './jpeg-frame.ts'
import type { StoredSize } from './picture.ts'

/** Letters R, G and B as the names of components. */
const RGB = [0x52, 0x47, 0x42]

const BLOCK = 8

/** Colours of a row: `values` has a row of each component, one after the other, each as long as the row of pixels is wide. */
type ToPixels = (values: Uint8ClampedArray, width: number, pixels: Uint8ClampedArray) => void

/** A component's values in a row of units. */
interface Plane {
  readonly component: Component
  readonly values: Uint8ClampedArray
  readonly stride: number
  /** For each pixel of a row the column of its value. */
  readonly columns: Uint32Array
}

/** Draws a row of units, once all its coefficients are known. */
export class JpegRows implements StoredSize {
  readonly width: number
  readonly height: number
  /** Rows of pixels in a row of units. */
  readonly rowsOfUnit: number
  readonly #planes: readonly Plane[]
  readonly #values: Uint8ClampedArray
  readonly #pixels: Uint8ClampedArray
  readonly #toPixels: ToPixels

  constructor(
    { width, height, edge, unitsAcross, maxAcross, maxDown, components }: JpegFrame,
    toPixels: ToPixels,
  ) {
    this.width = Math.ceil((width * edge) / BLOCK)
    this.height = Math.ceil((height * edge) / BLOCK)
    this.rowsOfUnit = edge * maxDown
    this.#planes = components.map((component) => {
      const stride = unitsAcross * component.across * component.edge
      const perPixel = (component.edge * component.across) / (edge * maxAcross)
      const columns = Uint32Array.from({ length: this.width }, (_, x) => Math.floor(x * perPixel))
      return {
        component,
        stride,
        columns,
        values: new Uint8ClampedArray(stride * component.edge * component.down),
      }
    })
    this.#values = new Uint8ClampedArray(this.width * components.length)
    this.#pixels = new Uint8ClampedArray(this.width * 4)
    this.#toPixels = toPixels
  }

  /** Bytes that it takes for a frame. */
  static bytesFor({ components, unitsAcross, width }: JpegFrame): number {
    const planes = components.map(({ across, down, edge }) => unitsAcross * across * down * edge ** 2)
    return planes.reduce((sum, bytes) => sum + bytes, width * 4 * (2 + components.length))
  }

  /** Draws the values of a row of units, whose pixels `row` then returns. */
  draw(unitRow: number): void {
    for (const { component, values, stride } of this.#planes) {
      const { coefficients, multipliers, inverseDct, edge, down, rowBlocks, rowsHeld } = component
      for (let y = 0; y < down; y += 1) {
        const first = ((unitRow * down + y) % rowsHeld) * rowBlocks
        for (let x = 0; x < rowBlocks; x += 1) {
          const at = (first + x) * edge * edge
          inverseDct(coefficients, at, multipliers!, values, y * edge * stride + x * edge, stride)
        }
      }
    }
  }

  /** Returns the pixels of a row of those drawn; they are valid until the next call. */
  row(y: number): Uint8ClampedArray {
    const { width } = this
    for (const [index, { component, values, stride, columns }] of this.#planes.entries()) {
      const from = Math.floor((y * component.edge * component.down) / this.rowsOfUnit) * stride
      const to = index * width
      for (let x = 0; x < width; x += 1) this.#values[to + x] = values[from + columns[x]!]!
    }
    this.#toPixels(this.#values, width, this.#pixels)
    return this.#pixels
  }
}

/**
 * Returns how components become colours.
 * @param adobeTransform what Adobe's programs note: 0 for colours or inks as they are. Their inks are stored inverted.
 */
export function colorsOf({ components }: JpegFrame, adobeTransform: number | undefined): ToPixels {
  if (components.length === 1) return grayToPixels
  if (components.length === 4) {
    const fromInks = inksToPixels(adobeTransform !== undefined)
    return adobeTransform === 2 ? (...row) => fromInks(inksOf(...row), row[1], row[2]) : fromInks
  }
  const areNamed = components.every(({ id }, index) => id === RGB[index])
  return adobeTransform === 0 || (adobeTransform === undefined && areNamed) ? rgbToPixels : yccToPixels
}

const grayToPixels: ToPixels = (values, width, pixels) => {
  for (let x = 0, to = 0; x < width; x += 1, to += 4) setPixel(pixels, to, values[x]!, values[x]!, values[x]!)
}

const rgbToPixels: ToPixels = (values, width, pixels) => {
  for (let x = 0, to = 0; x < width; x += 1, to += 4) {
    setPixel(pixels, to, values[x]!, values[width + x]!, values[2 * width + x]!)
  }
}

/** From brightness and two differences of colour. Source: ITU-T T.871. */
const yccToPixels: ToPixels = (values, width, pixels) => {
  for (let x = 0, to = 0; x < width; x += 1, to += 4) {
    const brightness = values[x]!
    const blue = values[width + x]! - 128
    const red = values[2 * width + x]! - 128
    const green = brightness - 0.344136 * blue - 0.714136 * red
    setPixel(pixels, to, brightness + 1.402 * red, green, brightness + 1.772 * blue)
  }
}

function inksToPixels(areInverted: boolean): ToPixels {
  // Of light that is left by a coloured ink, black leaves a share.
  const flip = areInverted ? 0 : 255
  return (values, width, pixels) => {
    for (let x = 0, to = 0; x < width; x += 1, to += 4) {
      const share = (values[3 * width + x]! ^ flip) / 255
      const [cyan, magenta, yellow] = [
        values[x]! ^ flip,
        values[width + x]! ^ flip,
        values[2 * width + x]! ^ flip,
      ]
      setPixel(pixels, to, cyan * share, magenta * share, yellow * share)
    }
  }
}

/** Turns brightness and differences of colour into inks, in place. */
function inksOf(values: Uint8ClampedArray, width: number, pixels: Uint8ClampedArray): Uint8ClampedArray {
  yccToPixels(values, width, pixels)
  for (let x = 0; x < width; x += 1) {
    for (let ink = 0; ink < 3; ink += 1) values[ink * width + x] = 255 - pixels[4 * x + ink]!
  }
  return values
}

function setPixel(pixels: Uint8ClampedArray, at: number, red: number, green: number, blue: number): void {
  pixels[at] = red
  pixels[at + 1] = green
  pixels[at + 2] = blue
  pixels[at + 3] = 255
}
