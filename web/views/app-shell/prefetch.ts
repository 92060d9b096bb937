import { findLinked } from '../../actions/links.ts'
import { prefetch } from '../../actions/message-windows.ts'
import { connection } from '../../actions/session.ts'
import { state } from '../../chat.ts'
import { names } from '../../navigation.ts'
import { parseAddress } from '../../state/addresses.ts'
import { showsMessage } from '../../state/links.ts'
import { isSearch } from '../../state/narrow.ts'

/** The milliseconds after which a pointer at rest on a link counts as interest. */
const RESTS_MS = 60

/**
 * Fetches the target of a link while a user points at it, presses it or focuses it, and that of each address. Returns a function that ends it.
 */
export function prefetchLinks(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = (event: Event) => {
    clearTimeout(timer)
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#narrow/"]')
    if (!link) return
    const begin = () => ask(link.hash)
    if (event.type === 'pointerdown') begin()
    else timer = setTimeout(begin, RESTS_MS)
  }
  const kinds = ['pointerover', 'pointerdown', 'focusin'] as const
  for (const kind of kinds) document.addEventListener(kind, look, { passive: true })
  window.addEventListener('hashchange', prefetchAddress)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('hashchange', prefetchAddress)
    for (const kind of kinds) document.removeEventListener(kind, look)
  }
}

/** Fetches what the page's address names, before anything of it is drawn. */
export function prefetchAddress(): void {
  // A view that was open before opens at the position where it was left (views/conversation/kept-position.ts).
  if (!history.state?.position) ask(location.hash)
}

function ask(hash: string): void {
  if (connection.value.kind !== 'live') return
  const address = parseAddress(hash, names)
  if (address.view !== 'narrow' || isSearch(address.narrow)) return
  const { narrow, near, with: withId } = address
  const id = near ?? withId
  if (id === undefined || showsMessage(state, narrow, id)) prefetch(narrow, near)
  else findLinked(narrow, id).catch(() => {})
}
