import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { t } from '../texts/texts.ts'
import { IconButton } from './button.tsx'

interface DialogProps {
  readonly title: string
  readonly wide?: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A dialog above everything else until it is closed; focus returns to where it was. */
export function Dialog({ title, wide = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const element = dialog.current!
    element.showModal()
    // The first element would be the button that closes it.
    element
      .querySelector<HTMLElement>('.dialog-body :is(input, select, textarea, button):not(:disabled)')
      ?.focus()
    return () => element.close()
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
      onMouseDown={(event) => event.target === dialog.current && onClose()}
      onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}
    >
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
        <IconButton icon="close" label={t.close} onClick={onClose} />
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  )
}
