import type { BodyReader, BodyVersion, MessageBody } from '../../../core/message-bodies.ts'

/**
 * Reads the bodies of exactly these versions, in as many reads as needed; changed ones are left out. `keep`:
 * returns the part to hold of each, where all of them together may be large.
 */
export async function readAllVersions(
  reader: BodyReader,
  wanted: readonly BodyVersion[],
  keep: (body: MessageBody) => MessageBody = (body) => body,
): Promise<Map<number, MessageBody>> {
  const bodies = new Map<number, MessageBody>()
  for (let left = wanted; left.length > 0; ) {
    const found = await reader.readVersions(left)
    if (found.size === 0) break
    for (const [id, body] of found) bodies.set(id, keep(body))
    left = left.filter(({ id }) => !bodies.has(id))
  }
  return bodies
}
