import './link-cards.css'
import { call } from '../../actions/call.ts'
import { MESSAGE_FORM } from '../../actions/message-windows.ts'
import { onMessagesChanged } from '../../actions/session.ts'
import { state } from '../../chat.ts'
import { conversationOf } from '../../state/conversation.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import type { Message } from '../../state/wire.ts'
import { previewPartsOf } from '../inbox/preview.ts'
import { conversationName, userName } from '../words.ts'
import { messageOfLink } from './reply-block.ts'

/** Cards of one message. */
const MAX_CARDS = 3
/** Messages of one request. */
const MAX_ASKED = 100

/** Messages that links lead to: null for those that the user may not see, or that are gone. */
const known = new Map<number, Message | null>()
/** Messages that are kept, beside those that are loaded. */
const MAX_KNOWN = 500
let of: typeof state | undefined
let asking: Map<number, ((message: Message | null) => void)[]> | undefined

/** Links to messages that stand for themselves: not in a quotation, and not the source of one. */
export function linksToMessages(content: ParentNode): HTMLAnchorElement[] {
  const found = new Map<number, HTMLAnchorElement>()
  for (const link of content.querySelectorAll<HTMLAnchorElement>('a[href*="/near/"]')) {
    const id = messageOfLink(link)
    if (id === undefined || found.has(id) || link.closest('blockquote, .reply-line, .spoiler-block, table'))
      continue
    if (link.closest('p')?.nextElementSibling?.localName === 'blockquote') continue
    found.set(id, link)
  }
  return [...found.values()].slice(0, MAX_CARDS)
}

/** Adds to links to messages cards of what they lead to, as far as the user may see it: each reader asks for it. */
export async function addCards(links: readonly HTMLAnchorElement[]): Promise<void> {
  for (const link of links) {
    if (standsAbove(link)) continue
    const message = await messageToShow(messageOfLink(link)!)
    const block = link.closest('p, li, h1, h2, h3, h4, h5, h6, div')
    const isHidden = !message || isMutedPerson(state, message.sender_id)
    if (isHidden || !block?.parentElement || !link.isConnected) continue
    block.after(cardOf(message, link.getAttribute('href')!))
  }
}

/** Whether the message of a link is the one before it, as where a notice says that it was moved there. */
function standsAbove(link: HTMLAnchorElement): boolean {
  const row = link.closest('.message')
  const next = row?.parentElement?.querySelector(`.message[data-id="${messageOfLink(link)}"] ~ .message`)
  return next !== undefined && next === row
}

/** What was deleted or changed stays in no card. */
onMessagesChanged((ids) => {
  const changed = new Set(ids)
  for (const id of changed) known.delete(id)
  // A move may change thousands of messages, and few cards are in sight.
  for (const card of document.querySelectorAll<HTMLAnchorElement>('.link-card')) {
    const id = Number(card.dataset.message)
    if (!changed.has(id)) continue
    void messageToShow(id).then((message) => {
      if (message) card.replaceWith(cardOf(message, card.getAttribute('href')!))
      else card.remove()
    })
  }
})

function cardOf(message: Message, href: string): HTMLElement {
  const card = document.createElement('a')
  card.className = 'link-card'
  card.href = href
  card.dataset.message = String(message.id)
  const who = document.createElement('strong')
  who.textContent = userName(message.sender_id)
  const where = document.createElement('span')
  where.className = 'link-card-where'
  where.textContent = conversationName(conversationOf(message, state.me))
  const said = document.createElement('span')
  said.className = 'link-card-text'
  said.textContent = previewPartsOf(message).text
  for (const part of [who, where, said]) part.dir = 'auto'
  card.append(who, where, said)
  return card
}

function messageToShow(id: number): Promise<Message | null> {
  if (of !== state) {
    known.clear()
    of = state
  }
  const message = state.messages.get(id) ?? known.get(id)
  if (message !== undefined) return Promise.resolve(message)
  return new Promise((resolve) => {
    if (!asking) {
      asking = new Map()
      // Those of a whole screen are asked for together.
      setTimeout(ask, 30)
    }
    asking.set(id, [...(asking.get(id) ?? []), resolve])
  })
}

async function ask(): Promise<void> {
  const waiting = asking ?? new Map()
  asking = undefined
  const ids = [...waiting.keys()].slice(0, MAX_ASKED)
  const found = new Map<number, Message>()
  try {
    const answer = await call<{ messages: Message[] }>('GET', '/messages', {
      message_ids: ids,
      ...MESSAGE_FORM,
    })
    for (const message of answer.messages) found.set(message.id, message)
    if (known.size > MAX_KNOWN) known.clear()
    for (const id of ids) known.set(id, found.get(id) ?? null)
  } catch {
    // The links are there; the next drawing asks again.
  }
  for (const [id, resolved] of waiting) for (const resolve of resolved) resolve(found.get(id) ?? null)
}
