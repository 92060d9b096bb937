/** A chunk that is already in memory, like the blocks that a Worker keeps. */
const CHUNK = new TextEncoder().encode('x'.repeat(32 * 1024))

/** Streams as many bytes from memory. */
export function bytes(count: number): ReadableStream<Uint8Array> {
  let left = count
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close()
      const chunk = CHUNK.subarray(0, left)
      left -= chunk.length
      controller.enqueue(chunk)
    },
  })
}
