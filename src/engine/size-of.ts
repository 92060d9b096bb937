/** Items of a long list that are measured, as a sample. */
const MEASURED = 50
const SLOT = 16

/** Estimates the bytes of a value in memory. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return SLOT + value.length
  if (typeof value !== 'object' || value === null) return SLOT
  if (ArrayBuffer.isView(value)) return SLOT + value.byteLength
  // An object of a class that says what it takes.
  if ('bytes' in value && !Object.hasOwn(value, 'bytes')) return SLOT + Number(value.bytes)
  if (value instanceof Map) return SLOT + sizeOfMany([...value].flat())
  if (value instanceof Set || Array.isArray(value)) return SLOT + sizeOfMany([...value])
  return SLOT + sizeOfMany(Object.values(value))
}

function sizeOfMany(values: readonly unknown[]): number {
  if (values.length === 0) return 0
  const step = Math.max(values.length / MEASURED, 1)
  let [bytes, count] = [0, 0]
  for (let at = 0; at < values.length; at += step) {
    bytes += SLOT + sizeOf(values[Math.floor(at)])
    count += 1
  }
  return Math.ceil((bytes * values.length) / count)
}
