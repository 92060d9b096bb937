import type { TestFile } from './uploads.ts'

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
}

/** One transparent pixel. */
export const PNG: TestFile = {
  name: 'dot.png',
  type: 'image/png',
  content: bytesOf(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  ),
}

/** The same pixel in a file that claims 60,000 × 60,000. */
export const HUGE_PNG: TestFile = { ...PNG, content: declaring(PNG.content as Uint8Array, 60_000) }

function declaring(png: Uint8Array, edge: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(png)
  new DataView(copy.buffer).setUint32(16, edge)
  new DataView(copy.buffer).setUint32(20, edge)
  return copy
}

/** Six by four red pixels. */
export const WEBP: TestFile = {
  name: 'red.webp',
  type: 'image/webp',
  content: bytesOf(
    'UklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoGAAQAAgA0JaACdLoB+AADsAD+8MQL/yC5YXXI1/8gP+QH/ID/+PIAAAA=',
  ),
}

const GIF_HEAD = [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
const GIF_DELAY = [0x21, 0xf9, 4, 0, 10, 0, 0, 0]
const GIF_FRAME = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]

/** Two frames of one pixel. */
export const MOVING_GIF: TestFile = {
  name: 'move.gif',
  type: 'image/gif',
  content: new Uint8Array([...GIF_HEAD, ...GIF_DELAY, ...GIF_FRAME, ...GIF_DELAY, ...GIF_FRAME, 0x3b]),
}

/** Bytes that are not an image, although their name and type say so. */
export const NO_IMAGE: TestFile = {
  name: 'page.png',
  type: 'image/png',
  content: '<script>alert(1)</script>',
}
