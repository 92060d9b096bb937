import './reply-block.css'
import { t } from '../../texts/texts.ts'

/** An address of a message of this organization: the page writes those of other places in another form (safe-html.ts). */
const OF_MESSAGE = /^#narrow\/(?:channel|stream|dm|pm-with)\/[^?]{1,2000}\/near\/(\d{1,15})$/

/** Returns the id of the message to which a link leads; undefined for any other link. */
export function messageOfLink(link: Element): number | undefined {
  const id = OF_MESSAGE.exec(link.getAttribute('href') ?? '')?.[1]
  return id === undefined ? undefined : Number(id)
}

interface ReplyBlock {
  /** The answered message. */
  readonly id: number
  readonly href: string
  readonly name: string
  readonly head: Element
  readonly quote: Element
}

/** Finds the beginning of a reply (state/reply-markdown.ts) in a rendered text, in exactly the form that the page writes. */
export function replyBlockIn(content: ParentNode): ReplyBlock | undefined {
  const [head, quote] = content.children
  const [mention, link, ...more] = head?.children ?? []
  if (head?.localName !== 'p' || quote?.localName !== 'blockquote' || !mention || !link || more.length > 0)
    return undefined
  if (!mention.matches('span.user-mention.silent[data-user-id]') || link.localName !== 'a') return undefined
  const name = mention.textContent ?? ''
  if (link.textContent !== '↩' || head.textContent !== `${name} ↩:`) return undefined
  const isOneLine = quote.childElementCount === 1 && quote.firstElementChild!.localName === 'p'
  const id = messageOfLink(link)
  if (!isOneLine || id === undefined || quote.querySelector('br')) return undefined
  return { id, href: link.getAttribute('href')!, name, head, quote }
}

/** Draws the beginning of a reply as one line that leads to the answered message. */
export function drawReply(content: DocumentFragment): void {
  const block = replyBlockIn(content)
  if (!block) return
  const { head, href, name, quote } = block
  const line = document.createElement('a')
  line.className = 'reply-line'
  line.href = href
  const about = document.createElement('span')
  about.className = 'hidden-text'
  about.textContent = `${t.replies.to} `
  const who = document.createElement('strong')
  who.textContent = name
  const said = document.createElement('span')
  said.className = 'one-line'
  said.dir = 'auto'
  said.append(...(quote.firstElementChild?.childNodes ?? []))
  // A link in a link could not be followed.
  for (const inner of said.querySelectorAll('a')) inner.replaceWith(...inner.childNodes)
  line.append(about, who, ' ', said)
  head.replaceWith(line)
  quote.remove()
}
