import type { Signal } from '@preact/signals'

/** The milliseconds for which keys are kept: a part that takes longer has failed to load. */
const KEPT_MS = 10_000

/** Discards the kept keys; undefined while none are kept. */
let discard: (() => void) | undefined

/**
 * Buffers keys that are typed before the wanted field has loaded, and types them there. Otherwise they would be shortcuts of the present view.
 * `wanted`: set until the field has the focus. Escape discards them.
 */
export function keepKeysUntil(wanted: Signal<unknown>): void {
  if (discard) return
  let isOver = false
  const kept: KeyboardEvent[] = []
  const keep = (event: KeyboardEvent) => {
    // Replayed keys pass through this listener again.
    if (!event.isTrusted || event.altKey || event.metaKey || (event.ctrlKey && event.key !== 'Enter')) return
    if (event.key === 'Escape') return end()
    event.preventDefault()
    event.stopPropagation()
    kept.push(event)
  }
  const until = performance.now() + KEPT_MS
  const end = () => {
    isOver = true
    discard = undefined
    window.removeEventListener('keydown', keep, { capture: true })
  }
  const look = () => {
    if (isOver) return
    const isWanted = wanted.value !== undefined
    if (isWanted && performance.now() > until) return end()
    const next = isWanted ? undefined : kept.shift()
    if (next) type(next)
    else if (!isWanted) return end()
    // A key may move the focus on, to a field that has to be loaded too.
    requestAnimationFrame(look)
  }
  discard = end
  window.addEventListener('keydown', keep, { capture: true })
  requestAnimationFrame(look)
}

/** Discards the keys kept for a field that is no longer wanted. */
export function discardKeptKeys(): void {
  discard?.()
}

function type({ key, ctrlKey, shiftKey }: KeyboardEvent): void {
  const field = document.activeElement
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  if (key.length === 1) {
    document.execCommand('insertText', false, key)
    return
  }
  const event = new KeyboardEvent('keydown', { key, ctrlKey, shiftKey, bubbles: true, cancelable: true })
  field.dispatchEvent(event)
}
