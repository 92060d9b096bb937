import type { Pixels } from './picture.ts'

/** Returns the picture as it is displayed, by its EXIF orientation. */
export function turnUpright(pixels: Pixels, orientation: number): Pixels {
  if (orientation === 1) return pixels
  const { width, height, data } = pixels
  const lies = orientation >= 5
  const [newWidth, newHeight] = lies ? [height, width] : [width, height]
  // Position, before mirroring, at which the pixel shown at (x, y) is stored.
  const isMirroredX = [2, 3, 7, 8].includes(orientation)
  const isMirroredY = [3, 4, 6, 7].includes(orientation)
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const to = new Uint32Array(width * height)
  for (let y = 0; y < newHeight; y += 1) {
    for (let x = 0; x < newWidth; x += 1) {
      const [column, row] = lies ? [y, x] : [x, y]
      const storedX = isMirroredX ? width - 1 - column : column
      const storedY = isMirroredY ? height - 1 - row : row
      to[y * newWidth + x] = from[storedY * width + storedX]!
    }
  }
  return { width: newWidth, height: newHeight, data: new Uint8ClampedArray(to.buffer) }
}
