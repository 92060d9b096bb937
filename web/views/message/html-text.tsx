import './rendered.css'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { direct, enhance, isEmojiAlone } from './enhance.ts'
import { type FoldState, fold } from './fold.ts'
import { drawReply } from './reply-block.ts'
import { safeNodes } from './safe-html.ts'

interface HtmlTextProps {
  readonly html: string
  readonly class?: string
  /** A button in the last line of the text. */
  readonly note?: TextNote | undefined
  /** Whether a long text is folded. */
  readonly folds?: boolean
}

export interface TextNote {
  readonly text: string
  readonly tip: string
  readonly onClick: () => void
}

/** The server's HTML as nodes that are safe to show. */
export function HtmlText({ html, class: name = '', note, folds = false }: HtmlTextProps) {
  watch('organization')
  const holder = useRef<HTMLDivElement>(null)
  const folding = useRef<FoldState>({ isOpen: false })
  const scale = previewScale()
  const isLine = name.endsWith('one-line')
  useLayoutEffect(() => {
    const nodes = safeNodes(html)
    if (!isLine) {
      drawReply(nodes)
      direct(nodes)
    }
    enhance(nodes, scale)
    holder.current!.toggleAttribute('data-emoji-alone', isEmojiAlone(nodes))
    holder.current!.toggleAttribute('data-parts', nodes.childElementCount > 1)
    if (note) addNote(nodes, note)
    holder.current!.replaceChildren(nodes)
    if (folds) fold(holder.current!, folding.current)
    if (!isLine && state && holder.current!.querySelector('a[href*="/near/"]'))
      addLinkCards(holder.current!).catch(() => {})
  }, [html, scale, note?.text, note?.tip, state?.mutedUsers.size])
  return (
    <div
      ref={holder}
      class={`rendered ${name}`}
      style={{ '--preview-scale': scale }}
      dir={isLine ? 'auto' : undefined}
      onFocusIn={({ target }) => folding.current.reveal?.(target as Element)}
    />
  )
}

/** Without the code of cards, or their messages, the links are all there is. */
async function addLinkCards(content: HTMLElement): Promise<void> {
  const { addCards, linksToMessages } = await import('./link-cards.ts')
  await addCards(linksToMessages(content))
}

function addNote(nodes: DocumentFragment, { text, tip: about, onClick }: TextNote): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'message-note'
  button.tabIndex = -1
  button.textContent = text
  Object.assign(button.dataset, { tip: about })
  button.addEventListener('click', onClick)
  const last = nodes.lastElementChild
  if (last?.localName === 'p' && last === nodes.lastChild) last.append(' ', button)
  else nodes.append(button)
}

/** Returns the organization's scale of pictures and videos, which is 1 on the log-in page. */
function previewScale(): number {
  return (state?.organization.media_preview_size ?? 100) / 100
}
