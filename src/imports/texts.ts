/** Texts of messages, of whatever program. */
import { firstPoints, isLongerThan } from '../core/text-length.ts'
import { blocks } from '../integrations/markdown.ts'
import { linkTo } from '../integrations/slack/spans.ts'
import type { RecordOf } from './neutral.ts'
import { referenceTo } from './references.ts'

/** Code points of a message here. */
const MAX_CONTENT = 10_000

/** Cuts a text to the length of a message. If it is longer, the whole of it becomes a file: `source`, or the text itself. */
export function cutText(
  text: string,
  id: string,
  source: string,
): { content: string; file?: RecordOf<'file'> } {
  if (!isLongerThan(text, MAX_CONTENT)) return { content: text }
  const fileId = `text:${id}`
  const leads = `[The whole message](${referenceTo('file', fileId)})`
  const start = firstPoints(text, MAX_CONTENT - leads.length - 20)
  const end = Math.max(start.lastIndexOf('\n'), start.lastIndexOf(' '))
  const kept = end > MAX_CONTENT / 2 ? start.slice(0, end) : start
  // An open block of code must not contain the link.
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

/** Returns the description of a channel from what two programs call purpose and topic, or header: one line with both. */
export function described(purpose: string, topic: string): string {
  const parts = [purpose, topic].map((part) => part.replaceAll(/\s+/g, ' ').trim())
  return [...new Set(parts.filter((part) => part !== ''))].join(' · ')
}

/** Keeps what only looks like a command from being one. */
export function asPlain(text: string): string {
  return /^\/(?:me|poll|todo)\b/.test(text) ? `&#47;${text.slice(1)}` : text
}

/** Decodes a path of an address, unless it is malformed. */
export function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

type MessageOfThread = Pick<RecordOf<'message'>, 'id' | 'sender' | 'time_ms' | 'channel' | 'content'>

/** Returns the copy of a message of a thread that is outside of the thread, with a link to the message. */
export function copyOutside(
  { id, sender, time_ms, channel, content }: MessageOfThread,
  words: string,
): RecordOf<'message'> {
  const leads = linkTo(words, referenceTo('message', id))
  const shown = blocks(firstPoints(content, MAX_CONTENT - leads.length - 2), leads)
  return { type: 'message', id: `${id}/main`, sender, time_ms, channel, content: shown }
}

export function countOfReplies(count: number): string {
  return count === 0 ? 'Replies' : `${count} ${count === 1 ? 'reply' : 'replies'}`
}

/** Returns the words, which are Markdown, that stand in place of a link to a file that is not here. */
export function missingFile(words: string): string {
  return `${words || 'file'} *(missing file)*`
}
