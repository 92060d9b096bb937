import { firstPoints, isLongerThan } from '../core/text-length.ts'
import type { NeutralRecord } from './neutral.ts'
import { referenceTo } from './references.ts'

/** Code points of a message here. */
export const MAX_CONTENT = 10_000

/** Cuts a text to what a message may have. The whole of it is a file then: as the source has it, or as it is. */
export function cutText(text: string, id: string, source: string): { content: string; file?: NeutralRecord } {
  if (!isLongerThan(text, MAX_CONTENT)) return { content: text }
  const fileId = `text:${id}`
  const leads = `[The whole message](${referenceTo('file', fileId)})`
  const start = firstPoints(text, MAX_CONTENT - leads.length - 20)
  const end = Math.max(start.lastIndexOf('\n'), start.lastIndexOf(' '))
  const kept = end > MAX_CONTENT / 2 ? start.slice(0, end) : start
  // Code that goes on must not take the link in.
  const fence = kept.match(/^`{3,}/gm) ?? []
  const closed = fence.length % 2 === 1 ? `${kept}\n${fence.at(-1)}` : kept
  const whole = new TextEncoder().encode(source || text)
  return {
    content: `${closed}\n\n${leads}`,
    file: {
      type: 'file',
      id: fileId,
      name: 'message.txt',
      content_type: 'text/plain',
      data: base64Of(whole),
    },
  }
}

function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8_192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(binary)
}
