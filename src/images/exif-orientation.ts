import { hasLetters, uint16, uint32 } from './read-bytes.ts'

const ORIENTATION = 0x0112
const SHORT = 3
const ENTRY_BYTES = 12

/** Reads the orientation of the camera, 1 to 8, from the data behind `Exif`; undefined without it. */
export function readOrientation(tiff: Uint8Array): number | undefined {
  const isLittleEndian = hasLetters(tiff, 0, 'II')
  if (!isLittleEndian && !hasLetters(tiff, 0, 'MM')) return undefined
  const directory = uint32(tiff, 4, isLittleEndian)
  const count = uint16(tiff, directory, isLittleEndian)
  for (let index = 0; index < count; index += 1) {
    const entry = directory + 2 + index * ENTRY_BYTES
    if (entry + ENTRY_BYTES > tiff.length) return undefined
    if (uint16(tiff, entry, isLittleEndian) !== ORIENTATION) continue
    if (uint16(tiff, entry + 2, isLittleEndian) !== SHORT) return undefined
    const orientation = uint16(tiff, entry + 8, isLittleEndian)
    return orientation >= 1 && orientation <= 8 ? orientation : undefined
  }
  return undefined
}
