import './setting-row.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { s } from '../texts/settings.ts'
import { Icon } from './icon.tsx'
import { type Question, QuestionDialog } from './question.tsx'
import { Refusal } from './refusal.tsx'
import { type Save, type SaveState, useSaving } from './saving.ts'

/** The props of a section of the settings. */
export interface SectionProps {
  /** The segments after the section's own address. */
  readonly path: readonly string[]
}

interface RowProps<Value> {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: Value
  readonly disabled?: boolean | undefined
  readonly onSave: Save<Value>
}

/** The mark of a saved setting. It takes up room when it is empty too, so that nothing moves. */
export function SaveMark({ state }: { readonly state: SaveState }) {
  return (
    <span class="save-mark" data-state={state} role="status">
      {state === 'saving' && s.saving}
      {state === 'saved' && (
        <>
          <Icon name="saved" /> {s.saved}
        </>
      )}
      {state === 'refused' && s.notSaved}
    </span>
  )
}

/** A setting that is on or off; saved when it is switched. */
export function SwitchRow({ label, hint, value, disabled, onSave }: RowProps<boolean>) {
  const { shown, state, refusal, save } = useSaving(value, onSave)
  const id = useId()
  return (
    <div class="setting-row">
      <label class="switch">
        <span>
          {label}
          {hint && (
            <span id={id} class="setting-hint">
              {hint}
            </span>
          )}
        </span>
        <input
          type="checkbox"
          role="switch"
          checked={shown}
          aria-checked={shown}
          disabled={disabled}
          aria-describedby={hint ? id : undefined}
          onChange={(event) => save(event.currentTarget.checked)}
        />
      </label>
      <SaveMark state={state} />
      <Refusal>{refusal}</Refusal>
    </div>
  )
}

interface ChoiceRowProps<Value> extends RowProps<Value> {
  readonly choices: readonly (readonly [Value, string])[]
  /** What is asked before this value is saved; undefined: nothing. */
  readonly questionFor?: (value: Value) => Question | undefined
}

/** A choice among a few values; saved when it is chosen. Values are compared as JSON. */
export function ChoiceRow<Value>(props: ChoiceRowProps<Value>) {
  const { label, hint, value, choices, disabled, questionFor, onSave } = props
  const { shown, state, refusal, save } = useSaving(value, onSave)
  const [asked, setAsked] = useState<{
    readonly question: Question
    readonly wanted: Value
    readonly name: string
  }>()
  const chosen = JSON.stringify(shown)
  const index = choices.findIndex(([one]) => JSON.stringify(one) === chosen)
  return (
    <div class="setting-row">
      <label class="setting-label">
        <span>{label}</span>
        {hint && <span class="setting-hint">{hint}</span>}
        <select
          class="field"
          value={String(index)}
          disabled={disabled}
          onChange={(event) => {
            const choice = choices[Number(event.currentTarget.value)]
            if (!choice) return
            const [wanted, name] = choice
            const question = questionFor?.(wanted)
            if (!question) return save(wanted)
            // Until the question is answered, the present value stays chosen.
            event.currentTarget.value = String(index)
            setAsked({ question, wanted, name })
          }}
        >
          {index === -1 && (
            <option value="-1" dir="auto">
              {String(shown ?? '')}
            </option>
          )}
          {choices.map(([, name], index) => (
            <option key={index} value={String(index)} dir="auto">
              {name}
            </option>
          ))}
        </select>
      </label>
      <SaveMark state={state} />
      <Refusal>{refusal}</Refusal>
      {asked && (
        <QuestionDialog
          question={asked.question}
          button={asked.name}
          onAct={async () => {
            save(asked.wanted)
            return undefined
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}

interface TextRowProps extends RowProps<string> {
  readonly type?: 'text' | 'email' | 'url' | 'number' | 'date' | 'color'
  readonly maxLength?: number | undefined
  readonly min?: number
  readonly required?: boolean
  readonly autocomplete?: string
}

/**
 * A text; saved when the user leaves it or presses Enter. Refused text stays as it was typed; Escape undoes
 * it.
 */
export function TextRow({
  label,
  hint,
  value,
  type = 'text',
  maxLength,
  min,
  required = false,
  autocomplete,
  disabled,
  onSave,
}: TextRowProps) {
  /** Why the browser does not take the text: it is not sent then, and refused in the same way. */
  const invalid = useRef('')
  const { shown, state, refusal, save, forget } = useSaving(
    value,
    async (wanted) => invalid.current || onSave(wanted),
  )
  const [typed, setTyped] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const sent = useRef<string>(undefined)
  // From then on the value is shown as it is known, also when others change it, or when the server has trimmed it.
  useEffect(() => {
    if ((state === 'saved' || state === 'idle') && typed === sent.current) setTyped(undefined)
  }, [state])
  const id = useId()
  const shared = {
    id,
    ref: field,
    class: 'field',
    value: typed ?? shown,
    maxLength,
    disabled,
    required,
    autocomplete,
    'aria-invalid': state === 'refused' ? true : undefined,
    onInput: (event: Event) => setTyped((event.currentTarget as HTMLInputElement).value),
    onChange: (event: Event) => {
      const element = event.currentTarget as HTMLInputElement
      if (element.value === value && element.validity.valid) return forget()
      invalid.current = element.validationMessage
      sent.current = element.value
      save(element.value)
    },
    onBlur: () => {
      if (state !== 'refused' && field.current?.value === value) setTyped(undefined)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape' && typed !== undefined) {
        event.stopPropagation()
        // It would close the dialog around the field, too.
        event.preventDefault()
        setTyped(undefined)
        forget()
      }
    },
  }
  return (
    <div class="setting-row">
      <label class="setting-label" htmlFor={id}>
        <span>{label}</span>
        {hint && <span class="setting-hint">{hint}</span>}
        <input {...shared} {...({ type, min } as { readonly type: 'text' })} />
      </label>
      <SaveMark state={state} />
      <Refusal>{refusal}</Refusal>
    </div>
  )
}

/** A part of a view, with its heading; without one where the view's own suffices. */
export function Part({
  title,
  hint,
  children,
}: {
  readonly title?: string
  readonly hint?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section class="part">
      {title && (
        <h2>
          <bdi>{title}</bdi>
        </h2>
      )}
      {hint && <p class="setting-hint">{hint}</p>}
      {children}
    </section>
  )
}
