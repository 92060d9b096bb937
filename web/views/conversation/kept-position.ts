/**
 * The position of a reader who left a view, stored with the entry of the browser's history, so that back,
 * forward and reload lead there.
 */
export interface KeptPosition {
  /** The narrow (`narrowKey`). */
  readonly key: string
  readonly id: number
  /** Pixels below the upper edge of the list. */
  readonly top: number
}

const KEEP_AFTER_MS = 250

let timer: ReturnType<typeof setTimeout> | undefined

/** Stores the position of a view; undefined: the end, where a view opens by itself. */
export function keepPosition(position: KeptPosition | undefined): void {
  clearTimeout(timer)
  timer = setTimeout(() => history.replaceState({ ...history.state, position }, ''), KEEP_AFTER_MS)
}

// A position not stored yet belongs to the entry before.
window.addEventListener('hashchange', () => clearTimeout(timer))

export function keptPosition(key: string): KeptPosition | undefined {
  const position = (history.state as { position?: KeptPosition } | null)?.position
  return position?.key === key ? position : undefined
}
