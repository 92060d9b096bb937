/** The focusable elements in a message's content, reactions included. */
const FOCUSABLE = 'a[href], button, summary, video[controls], audio[controls]'

/**
 * Makes Tab lead from a focused message to its actions, among which the arrows move, and then to the content of the message. Escape and
 * Shift+Tab lead back. Returns a function that removes it.
 */
export function keysBetween(bar: HTMLElement): () => void {
  const list = bar.parentElement!
  let row: HTMLElement | undefined
  const actions = () => [...bar.querySelectorAll<HTMLElement>('button')]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const target = event.target as HTMLElement
    const next = bar.contains(target) ? fromAction(target, event) : fromRow(target, event)
    if (!next) return
    next.focus()
    event.preventDefault()
    event.stopPropagation()
  }
  const fromRow = (target: HTMLElement, { key, shiftKey }: KeyboardEvent) => {
    if (key !== 'Tab' || shiftKey || bar.hidden || !target.matches('.message[data-id]')) return undefined
    row = target
    return actions()[0]
  }
  const fromAction = (target: HTMLElement, { key, shiftKey }: KeyboardEvent) => {
    const all = actions()
    const at = all.indexOf(target)
    const forward = getComputedStyle(bar).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const backward = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
    if (key === forward) return all[(at + 1) % all.length]
    if (key === backward) return all[(at + all.length - 1) % all.length]
    if (key === 'Home') return all[0]
    if (key === 'End') return all.at(-1)
    if (key === 'Escape' || (key === 'Tab' && shiftKey)) return row
    if (key === 'Tab') return row?.querySelector<HTMLElement>(FOCUSABLE) ?? undefined
    return undefined
  }
  list.addEventListener('keydown', onKeyDown)
  return () => list.removeEventListener('keydown', onKeyDown)
}
