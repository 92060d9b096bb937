import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../texts/texts.ts'
import { IconButton } from './button.tsx'

interface DialogProps {
  readonly title: string
  readonly wide?: boolean
  /** Whether it is only read: keys scroll it. */
  readonly isRead?: boolean
  /** Whether a click outside leaves it open, because what it shows cannot be shown again. */
  readonly isOnce?: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Fields in which something is written, rather than chosen or looked for. */
const TYPED =
  'textarea, input:not([type], [role="combobox"]), input:is([type="text"], [type="email"], [type="url"], [type="password"])'

/**
 * Returns a function that puts the cursor where it is now, if its field has the focus again: Chromium gives the focus back without the
 * cursor, and then keys write nothing.
 */
function cursorNow(): () => void {
  const field = document.activeElement as HTMLInputElement | null
  const [from, to] = [field?.selectionStart ?? null, field?.selectionEnd ?? null]
  return () => {
    if (from !== null && document.activeElement === field) field?.setSelectionRange(from, to)
  }
}

/** A dialog above everything else until it is closed; focus returns to where it was. */
export function Dialog({
  title,
  wide = false,
  isRead = false,
  isOnce = false,
  onClose,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // A click outside of the dialog does not lose typed text.
  const isTyped = useRef(false)
  // The dialog returns the focus only while it is in the document, and would be gone in an effect after the paint.
  useLayoutEffect(() => {
    const element = dialog.current!
    const putCursorBack = cursorNow()
    element.showModal()
    // The first element would be the button that closes it.
    element
      .querySelector<HTMLElement>(':scope > .dialog-body :is(input, select, textarea, button):not(:disabled)')
      ?.focus()
    return () => {
      element.close()
      putCursorBack()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onInput={({ target }) => {
        if ((target as Element).matches(TYPED)) isTyped.current = true
      }}
      onChange={({ target }) => {
        // A field outside of a form is saved when it is left.
        if (!(target as Element).closest('form')) isTyped.current = false
      }}
      onMouseDown={(event) => event.target === dialog.current && !isOnce && !isTyped.current && onClose()}
      onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}
    >
      <div class="dialog-head">
        <h2 id={heading}>
          <bdi>{title}</bdi>
        </h2>
        <IconButton icon="close" label={t.close} onClick={onClose} />
      </div>
      <div class="dialog-body" tabIndex={isRead ? 0 : undefined}>
        {children}
      </div>
    </dialog>
  )
}
