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

/** A message of a view, stored with the entry too: it says where the conversation is when it has moved. */
export interface KeptMessage {
  readonly key: string
  readonly id: number
}

interface Kept {
  readonly position?: KeptPosition
  readonly message?: KeptMessage
}

/** Stores the position of a view; undefined: the end, where a view opens by itself. */
export function keepPosition(position: KeptPosition | undefined): void {
  clearTimeout(timer)
  timer = setTimeout(() => history.replaceState({ ...history.state, position }, ''), KEEP_AFTER_MS)
}

// A position not stored yet belongs to the entry before.
window.addEventListener('hashchange', () => clearTimeout(timer))

export function keptPosition(key: string): KeptPosition | undefined {
  const position = (history.state as Kept | null)?.position
  return position?.key === key ? position : undefined
}

export function keepMessage(message: KeptMessage): void {
  history.replaceState({ ...history.state, message }, '')
}

export function keptMessage(key: string): number | undefined {
  const message = (history.state as Kept | null)?.message
  return message?.key === key ? message.id : undefined
}

/** Moves the stored data of a view to its new name. */
export function renameKept(from: string, to: string): void {
  clearTimeout(timer)
  const { position, message } = (history.state as Kept | null) ?? {}
  history.replaceState(
    {
      ...history.state,
      ...(position?.key === from ? { position: { ...position, key: to } } : {}),
      ...(message?.key === from ? { message: { ...message, key: to } } : {}),
    },
    '',
  )
}
