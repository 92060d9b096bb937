import { useEffect, useState } from 'preact/hooks'
import { t } from '../texts/texts.ts'
import { IconButton } from './button.tsx'

export interface ToastOptions {
  readonly text: string
  readonly isFailure?: boolean | undefined
  /** Undoes the action. */
  readonly onUndo?: (() => void) | undefined
  /** Leads to the subject of the toast. */
  readonly href?: string | undefined
}

const SHOWN_MS = 4_000
/** A toast with an undo button stays longer. */
const UNDO_SHOWN_MS = 6_000

interface ToastsProps {
  readonly shown: readonly (ToastOptions & { readonly key: number })[]
  readonly onClose: (key: number) => void
}

/** The area for toasts, at the end of the sidebar, or below the bars of a small window. It is always in the document, since screen readers announce only what is added to it. */
export function Toasts({ shown, onClose }: ToastsProps) {
  return (
    <div class="toasts" role="status">
      {shown.map(({ key, ...one }) => (
        <Toast key={key} {...one} onClose={() => onClose(key)} />
      ))}
    </div>
  )
}

/**
 * A line that disappears by itself, but not while the pointer or the focus is on it. A failure stays until it is closed.
 */
export function Toast({
  text,
  isFailure = false,
  onUndo,
  href,
  onClose,
}: ToastOptions & { readonly onClose: () => void }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isFailure || isHeld) return
    const timer = setTimeout(onClose, onUndo ? UNDO_SHOWN_MS : SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isHeld])
  return (
    <div
      class={isFailure ? 'toast toast-failure' : 'toast'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span class="toast-text">{text}</span>
      {onUndo && (
        <button
          type="button"
          class="toast-undo"
          onClick={() => {
            onClose()
            onUndo()
          }}
        >
          {t.undo}
        </button>
      )}
      {href !== undefined && (
        <a class="toast-undo" href={href} onClick={onClose}>
          {t.view}
        </a>
      )}
      <IconButton icon="close" label={t.close} onClick={onClose} />
    </div>
  )
}
