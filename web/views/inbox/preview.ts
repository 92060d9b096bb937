import { state } from '../../chat.ts'
import type { Message } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { showEmoji } from '../message/enhance.ts'
import { replyBlockIn } from '../message/reply-block.ts'
import { safeNodes } from '../message/safe-html.ts'

/** Characters: no line has room for more. */
const MAX_LENGTH = 200

/** What a message without words is called, by what it shows. */
const KINDS = [
  ['.message_inline_video, video', 'video'],
  ['audio', 'sound'],
  ['.message_inline_image, img:not(.emoji)', 'picture'],
] as const

/** A cache of the texts of messages, by content and the muted people, whose names they do not have. */
const texts = new WeakMap<
  Message,
  { readonly content: string; readonly muted: string; readonly text: string }
>()

/** Returns `Clara: It drips again`: who wrote a message, and the beginning of it in one line. */
export function previewOf(message: Message): string {
  const { writer, text } = previewPartsOf(message)
  return writer + text
}

/** The two parts of it, which may be written in different directions. The first ends as the language leads on to a quotation. */
export function previewPartsOf(message: Message): { readonly writer: string; readonly text: string } {
  const { sender_id, sender_full_name } = message
  const sender = state.users.get(sender_id)
  const name = sender?.full_name ?? sender_full_name
  // A bot is named by all of its words.
  const shortName = sender?.is_bot ? name : name.split(' ')[0]!
  const writer = sender_id === state.me ? t.youCapital : shortName
  return { writer: writer + t.colon, text: textOf(message) }
}

function textOf(message: Message): string {
  const known = texts.get(message)
  const muted = [...state.mutedUsers].join()
  if (known?.content === message.content && known.muted === muted) return known.text
  const text = plainText(message)
  texts.set(message, { content: message.content, muted, text })
  return text
}

function plainText({ content, submessages }: Message): string {
  if (submessages.some(({ msg_type }) => msg_type === 'widget')) {
    return /\btodo\b/.test(submessages[0]?.content ?? '') ? t.widget.todo : t.widget.poll
  }
  const nodes = safeNodes(content)
  const reply = replyBlockIn(nodes)
  reply?.head.remove()
  reply?.quote.remove()
  const kind = KINDS.find(([selector]) => nodes.querySelector(selector) !== null)?.[1]
  for (const part of nodes.querySelectorAll(
    '.message_inline_image, .message_embed, .spoiler-content, .katex-mathml annotation',
  ))
    part.remove()
  for (const emoji of nodes.querySelectorAll('span.emoji')) showEmoji(emoji)
  for (const picture of nodes.querySelectorAll('img.emoji'))
    picture.replaceWith(picture.getAttribute('alt') ?? '')
  for (const block of nodes.querySelectorAll('p, li, br, blockquote, tr, h1, h2, h3, pre')) block.append(' ')
  const text = (nodes.textContent ?? '').replace(/\s+/g, ' ').trim()
  return text === '' && kind ? t.message[kind] : text.slice(0, MAX_LENGTH)
}
