import './setting-row.css'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { type Question, QuestionDialog } from './question.tsx'
import { Refusal } from './refusal.tsx'

/** The action of a button or form. Resolves to the reason why it was refused, or to undefined on success. */
export type Act<Input = void> = (input: Input) => Promise<string | undefined>

interface ActButtonProps {
  readonly kind?: 'plain' | 'main' | 'danger'
  readonly disabled?: boolean
  /** Label for screen readers if the text alone is ambiguous. */
  readonly label?: string
  readonly question?: Question | undefined
  readonly onAct: Act
  readonly children: string
}

/** A button that itself shows why its action was refused. */
export function ActButton({ question, onAct, label, children, ...props }: ActButtonProps) {
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState('')
  const isThere = useRef(true)
  const place = useRef<HTMLElement>(null)
  const noteFocus = useKeptFocus(isBusy)
  /** Whether the focus was on the button, which loses it while it is disabled. */
  const wasPressed = useRef(false)
  // Called while the button is still in its list.
  useLayoutEffect(
    () => () => {
      isThere.current = false
      if (wasPressed.current && place.current) focusBeside(place.current)
    },
    [],
  )
  const act = async () => {
    noteFocus()
    setBusy(true)
    setRefusal('')
    const said = await onAct()
    if (!isThere.current) return
    setBusy(false)
    setRefusal(said ?? '')
  }
  return (
    <span
      class="act"
      ref={place}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget && !place.current?.contains(relatedTarget as Node)) wasPressed.current = false
      }}
    >
      <button
        type="button"
        class={props.kind && !question ? `button button-${props.kind}` : 'button'}
        disabled={props.disabled || isBusy}
        aria-label={label}
        onClick={() => {
          wasPressed.current = true
          if (question) setAsking(true)
          else void act()
        }}
      >
        {children}
      </button>
      <Refusal>{refusal}</Refusal>
      {isAsking && question && (
        <QuestionDialog
          question={question}
          button={String(children)}
          kind={props.kind ?? 'danger'}
          onAct={onAct}
          onClose={() => isThere.current && setAsking(false)}
        />
      )}
    </span>
  )
}

/** Moves the focus to a neighbour of a button that is about to disappear, alone or with its item, so that the focus is not lost. */
function focusBeside(button: HTMLElement): void {
  const item = button.closest('li, .settings-field')
  const firstIn = (element: Element | null | undefined) =>
    element?.querySelector<HTMLElement>(':is(button, a[href], input, select):not(:disabled)')
  const next = firstIn(item?.nextElementSibling) ?? firstIn(item?.previousElementSibling)
  const part = button.closest('.part')
  const view = button.closest<HTMLElement>('[tabindex="0"]')
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    // The whole list may be gone, and with it everything that could take the focus.
    const others = [firstIn(item), next, firstIn(part), view]
    others.find((one) => one?.isConnected)?.focus()
  })
}

interface ActFormProps {
  readonly button: string
  readonly kind?: 'plain' | 'main' | 'danger'
  /** Whether the fields and the button share a line. */
  readonly line?: boolean
  readonly onAct: Act<FormData>
  /** Returns the question to ask before these values are sent, if any. */
  readonly questionFor?: (form: FormData) => Question | undefined
  /** Called after a success, when the typed fields are empty again. */
  readonly onDone?: () => void
  readonly onCancel?: () => void
  readonly children: ComponentChildren
}

/** Fields with a button that submits them. They keep input that was refused, and choices. */
export function ActForm(props: ActFormProps) {
  const { button, kind, line = false, onAct, questionFor, onDone, onCancel, children } = props
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [question, setQuestion] = useState<Question>()
  const form = useRef<HTMLFormElement>(null)
  const noteFocus = useKeptFocus(isBusy)
  const send = async () => {
    noteFocus()
    setBusy(true)
    setRefusal('')
    const sent = new FormData(form.current!)
    const said = await onAct(sent)
    if (said === undefined && form.current) emptyTexts(form.current, sent)
    setRefusal(said ?? '')
    setBusy(false)
    if (said === undefined) onDone?.()
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const asked = questionFor?.(new FormData(form.current!))
    if (asked) setQuestion(asked)
    else void send()
  }
  const submit = (
    <Button type="submit" kind={kind} disabled={isBusy}>
      {button}
    </Button>
  )
  return (
    <form
      ref={form}
      class={line ? 'act-line' : 'act-form'}
      onSubmit={onSubmit}
      onInput={() => setRefusal('')}
    >
      {children}
      {onCancel ? (
        <div class="dialog-buttons">
          <Button onClick={onCancel}>{t.cancel}</Button>
          {submit}
        </div>
      ) : (
        submit
      )}
      <Refusal>{refusal}</Refusal>
      {question && (
        <QuestionDialog
          question={question}
          button={button}
          onAct={async () => {
            await send()
            return undefined
          }}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </form>
  )
}

/** Input types that hold a choice. */
const CHOSEN: ReadonlySet<string> = new Set(['checkbox', 'radio', 'hidden'])

/**
 * Empties the text fields after they were submitted, but for what was typed since. `reset()` would also change the choices: it selects
 * the option marked in the document's source, where Preact marks none.
 */
function emptyTexts(form: HTMLFormElement, sent: FormData): void {
  for (const field of form.elements) {
    const isTyped =
      field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && !CHOSEN.has(field.type))
    if (isTyped && field.name !== '' && isUnchanged(field, sent)) field.value = field.defaultValue
  }
}

function isUnchanged(field: HTMLInputElement | HTMLTextAreaElement, sent: FormData): boolean {
  const value = sent.get(field.name)
  return typeof value !== 'string' || value.replaceAll('\r\n', '\n') === field.value
}
