/** Texts and histories of messages as servers of the public API have them. */

import { firstPoints, isLongerThan } from '../core/text-length.ts'
import type { Payload } from '../integrations/payload.ts'
import { linkTo } from '../integrations/slack/spans.ts'
import type { Known } from './import-reader.ts'
import type { NeutralRecord, RecordOf } from './neutral.ts'
import { mentionOf, referenceTo } from './references.ts'

/** Who sees the address of a person, by the numbers of the API. */
export const EMAIL_VISIBILITIES: Readonly<Record<string, RecordOf<'user'>['email_visibility']>> = {
  1: 'everyone',
  2: 'members',
  3: 'administrators',
  4: 'nobody',
  5: 'moderators',
}
const MAX_EDITS = 1_000
const MAX_STATUS = 1_000

/** Whether a host is that of the organization itself. */
type IsOwn = (host: string) => boolean

/** Returns how the hosts of an archive of an organization here are told from others. */
export async function isOwnHost(known: Known): Promise<IsOwn> {
  const url = (await known.get('realm', 'url')) ?? ''
  return (host) => url.endsWith(`//${host.toLowerCase()}`)
}

/** Returns the status of a person: a text, an emoji, or both. */
export function statusIn(row: Payload): Pick<RecordOf<'user'>, 'status' | 'status_emoji'> {
  const [text, name, code] = ['status_text', 'emoji_name', 'emoji_code'].map((key) => row.text(key))
  const isUnicode = row.text('reaction_type') === 'unicode_emoji'
  return {
    ...(text && { status: text.slice(0, MAX_STATUS) }),
    ...(name && {
      status_emoji: {
        emoji: name.slice(0, MAX_STATUS),
        kind: isUnicode ? 'unicode' : 'custom',
        ...(isUnicode && code && { code: code.slice(0, MAX_STATUS) }),
      },
    }),
  }
}

/** Returns earlier versions of a message from its history, the newest first. */
export function editsIn(history: Payload): NonNullable<RecordOf<'message'>['edits']> {
  return history
    .list()
    .slice(0, MAX_EDITS)
    .flatMap((edit) => {
      const time = edit.number('timestamp')
      if (time === undefined || time <= 0) return []
      const topic = edit.has('prev_topic') ? edit.text('prev_topic') : edit.text('prev_subject')
      return [
        {
          time_ms: time * 1_000,
          ...(edit.has('user_id') && { user: edit.text('user_id') }),
          ...(edit.has('prev_content') && { content: edit.text('prev_content') }),
          ...((edit.has('prev_topic') || edit.has('prev_subject')) && { topic }),
          ...(edit.has('prev_stream') && { channel: edit.text('prev_stream') }),
        },
      ]
    })
}

/**
 * Yields the record of a user whom the archive does not have: an account that was deleted, or one of another organization. The account is
 * closed.
 */
export async function* ofUnlisted(id: string, name: string, known: Known): AsyncGenerator<NeutralRecord> {
  if (id === '' || id.length > 200 || (await known.get('user', id)) !== undefined) return
  await known.put('user', id, name.slice(0, 200))
  yield { type: 'user', id, full_name: name.slice(0, 1_000), email: null, deactivated: true }
}

const MENTION = /@_?\*\*[^*|\n]{0,200}\|(\d{1,15})\*\*/g
const MESSAGE_LINK = /#\*\*([^*>\n]{1,200})>([^*\n]{0,200})@(\d{1,15})\*\*/g
const TARGET = /\]\(([^()\s]{1,2000})\)/g

/** Returns a text whose ids are references. Code stays as it is. */
export async function rewritten(text: string, isOwn: IsOwn, known: Known): Promise<string> {
  const uploads = [...text.matchAll(TARGET)].flatMap(([, target]) => uploadIn(target!, isOwn) ?? [])
  for (const path of uploads) await known.get('file', path)
  let fence = ''
  return text
    .split('\n')
    .map((line) => {
      const mark = /^[\s>]*(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
      if (fence !== '') {
        if (mark.startsWith(fence)) fence = ''
        return line
      }
      // A quotation in a fence is text.
      if (mark !== '' && !/(?:`|~)\s*(?:quote|spoiler)/.test(line)) fence = mark
      return line
        .replace(MENTION, (whole, id: string) => mentionOf(id, whole.startsWith('@_')))
        .replace(MESSAGE_LINK, (_, channel: string, topic: string, id: string) =>
          linkTo(`#${channel} > ${topic}`, referenceTo('message', id)),
        )
        .replace(TARGET, (_, target: string) => `](${addressOf(target, isOwn, known) ?? target})`)
    })
    .join('\n')
}

/** Returns a target without the address of the server itself; undefined for one of another. */
function ownPath(target: string, isOwn: IsOwn): string | undefined {
  if (!/^[a-z]+:/i.test(target)) return target.replace(/^\/+/, '')
  const found = /^https?:\/\/([^/]+)\/(.*)$/.exec(target)
  return found && isOwn(found[1]!) ? found[2] : undefined
}

function uploadIn(target: string, isOwn: IsOwn): string | undefined {
  return /^user_uploads\/(?:thumbnail\/)?(\d+\/.+)$/.exec(ownPath(target, isOwn) ?? '')?.[1]
}

function addressOf(target: string, isOwn: IsOwn, known: Known): string | undefined {
  const upload = uploadIn(target, isOwn)
  if (upload !== undefined)
    return known.seen('file', upload) === undefined ? undefined : referenceTo('file', upload)
  const narrow = /^#narrow\/(.+)$/.exec(ownPath(target, isOwn) ?? '')?.[1]
  if (narrow === undefined) return undefined
  const message = /(?:\/(?:near|with)|^id)\/(\d{1,15})$/.exec(narrow)?.[1]
  if (message !== undefined) return referenceTo('message', message)
  const channel = /^(?:channel|stream)\/(\d{1,15})/.exec(narrow)?.[1]
  return channel === undefined ? undefined : referenceTo('channel', channel)
}

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
