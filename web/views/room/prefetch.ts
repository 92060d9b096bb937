import { prefetch } from '../../actions/messages.ts'
import { connection } from '../../actions/session.ts'
import { names } from '../../navigation.ts'
import { parseAddress } from '../../state/addresses.ts'

/** A pointer that rests on a link for so long may press it. */
const RESTS_MS = 60

/** What a link leads to is asked for while somebody points at it, presses it or has come to it by keys. Returns what ends it. */
export function prefetchLinks(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = (event: Event) => {
    clearTimeout(timer)
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#narrow/"]')
    if (!link || connection.value.kind !== 'live') return
    const begin = () => {
      const { hash } = link
      const address = parseAddress(hash, names)
      if (address.view === 'narrow' && address.near === undefined && address.with === undefined) {
        prefetch(address.narrow)
      }
    }
    if (event.type === 'pointerdown') begin()
    else timer = setTimeout(begin, RESTS_MS)
  }
  const kinds = ['pointerover', 'pointerdown', 'focusin'] as const
  for (const kind of kinds) document.addEventListener(kind, look, { passive: true })
  return () => {
    clearTimeout(timer)
    for (const kind of kinds) document.removeEventListener(kind, look)
  }
}
