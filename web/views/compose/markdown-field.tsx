import './compose.css'
import '../../ui/setting-row.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Refusal } from '../../ui/refusal.tsx'
import { type Save, useSaving } from '../../ui/saving.ts'
import { SaveMark } from '../../ui/setting-row.tsx'
import { insertLater } from './editing.ts'
import { EmojiButton } from './emoji-button.tsx'
import { FormatToolbar } from './format-toolbar.tsx'
import { MarkdownBox } from './markdown-box.tsx'

export { loadComposeTexts } from '../../texts/compose.ts'

interface FieldProps {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly value: string
  readonly maxLength?: number | undefined
  readonly required?: boolean
  readonly disabled?: boolean
}

interface MarkdownFieldProps extends FieldProps {
  /** Its name in a form. */
  readonly name?: string
  readonly onValue: (value: string) => void
  readonly onKey?: (event: KeyboardEvent) => boolean
  /** Whether it takes the focus as soon as it is there. */
  readonly takesFocus?: boolean
}

/** A field for Markdown in a form: the box for writing, with its formats. */
export function MarkdownField({
  label,
  hint,
  onKey = () => false,
  takesFocus = false,
  ...props
}: MarkdownFieldProps) {
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (takesFocus) box.current?.focus()
  }, [])
  return (
    <div class="labelled markdown-field">
      <label htmlFor={id}>
        <span>{label}</span>
        {hint && <span class="setting-hint">{hint}</span>}
      </label>
      <div class="compose-box">
        <MarkdownBox
          {...props}
          id={id}
          box={box}
          class="compose-text"
          label={label}
          where={undefined}
          onKey={onKey}
        />
        <div class="compose-buttons">
          <FormatToolbar box={box} disabled={props.disabled ?? false} />
          <EmojiButton disabled={props.disabled ?? false} onInsert={(text) => insertLater(box, text)} />
        </div>
      </div>
    </div>
  )
}

interface MarkdownRowProps extends FieldProps {
  readonly onSave: Save<string>
}

/** A setting that is Markdown, saved when the focus leaves it. */
export function MarkdownRow({ value, onSave, ...props }: MarkdownRowProps) {
  const { shown, state, refusal, save, forget } = useSaving(value, onSave)
  const [typed, setTyped] = useState<string>()
  const row = useRef<HTMLDivElement>(null)
  const sent = useRef<string>(undefined)
  const leave = (event: FocusEvent) => {
    if (row.current?.contains(event.relatedTarget as Node | null)) return
    if (typed === undefined || typed === value) {
      setTyped(undefined)
      forget()
    } else {
      sent.current = typed
      save(typed)
    }
  }
  // A change by somebody else is shown afterwards, and not overwritten when the focus leaves again.
  useEffect(() => {
    if ((state === 'saved' || state === 'idle') && typed === sent.current) setTyped(undefined)
  }, [state])
  return (
    <div ref={row} class="setting-row" onFocusOut={leave}>
      <MarkdownField
        {...props}
        value={typed ?? shown}
        onValue={setTyped}
        onKey={(event) => {
          if (event.key !== 'Escape' || typed === undefined) return false
          event.stopPropagation()
          setTyped(undefined)
          forget()
          return true
        }}
      />
      <SaveMark state={state} />
      <Refusal>{refusal}</Refusal>
    </div>
  )
}
