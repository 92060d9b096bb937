/** The focusable elements in a message's content, reactions included. */
const FOCUSABLE = 'a[href], button, summary, video[controls], audio[controls]'

/**
 * Makes Tab lead from a focused message to its actions, among which the arrows move, and then to the content of the message. Escape leads back
 * to the message, from its content too, and Shift+Tab from its actions. The bar's `data-of` is the message's id. Returns a function that
 * removes it.
 */
export function keysBetween(bar: HTMLElement): () => void {
  const list = bar.parentElement!
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const target = event.target as HTMLElement
    const next = bar.contains(target) ? fromAction(target, event) : fromRow(target, event)
    if (!next) return
    next.focus()
    event.preventDefault()
    event.stopPropagation()
  }
  const actions = () => [...bar.querySelectorAll<HTMLElement>('button')]
  const fromRow = (target: HTMLElement, { key, shiftKey }: KeyboardEvent) => {
    const row = target.closest<HTMLElement>('.message[data-id]')
    if (target === row) return key === 'Tab' && !shiftKey && !bar.hidden ? actions()[0] : undefined
    return key === 'Escape' && target.matches(FOCUSABLE) ? row : undefined
  }
  const fromAction = (target: HTMLElement, { key, shiftKey }: KeyboardEvent) => {
    const all = actions()
    const at = all.indexOf(target)
    const row = list.querySelector<HTMLElement>(`.message[data-id="${bar.dataset.of}"]`)
    const forward = getComputedStyle(bar).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const backward = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
    if (key === forward) return all[(at + 1) % all.length]
    if (key === backward) return all[(at + all.length - 1) % all.length]
    if (key === 'Home') return all[0]
    if (key === 'End') return all.at(-1)
    if (key === 'Escape' || (key === 'Tab' && shiftKey)) return row
    if (key === 'Tab') return row?.querySelector<HTMLElement>(FOCUSABLE)
    return undefined
  }
  list.addEventListener('keydown', onKeyDown)
  return () => list.removeEventListener('keydown', onKeyDown)
}
