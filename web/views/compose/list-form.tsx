import './list-form.css'
import { Fragment } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Refusal } from '../../ui/refusal.tsx'

interface TypedList {
  readonly head: string
  readonly entries: readonly string[]
}

/** The texts of closed forms, which are there again when the form is reopened in the same view. */
const closed = new Map<string, TypedList>()

interface ListFormProps {
  readonly kind: 'poll' | 'todo'
  /** The view for which its text is kept, by the key of its narrow. */
  readonly view: string
  readonly onSend: (content: string) => void
  readonly onClose: () => void
}

/** The initial and the largest number of fields. */
const ENTRIES = { first: 3, most: 50 } as const

/** A form for a poll or a list of tasks: sent as the message that a command makes of it. */
export function ListForm({ kind, view, onSend, onClose }: ListFormProps) {
  const key = `${kind} ${view}`
  const words =
    kind === 'poll'
      ? { ...c.pollForm, head: c.pollForm.question, entry: c.pollForm.option, add: c.pollForm.addOption }
      : { ...c.todoForm, head: c.todoForm.name, entry: c.todoForm.task, add: c.todoForm.addTask }
  const [{ head, entries }, setTyped] = useState<TypedList>(
    () => closed.get(key) ?? { head: '', entries: Array(ENTRIES.first).fill('') },
  )
  const [isGrown, setGrown] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const fields = () => [...form.current!.querySelectorAll('input')]
  // Before the next key.
  useLayoutEffect(() => {
    if (isGrown) fields().at(-1)?.focus()
  }, [isGrown, entries.length])
  const type = (next: TypedList) => {
    setTyped(next)
    closed.set(key, next)
  }
  const lines = entries.map((entry) => entry.trim())
  const isRepeated = (index: number) => lines[index] !== '' && lines.indexOf(lines[index]!) < index
  const isReady = head.trim() !== '' && !lines.some((_, index) => isRepeated(index))
  const addEntry = () => {
    if (entries.length === ENTRIES.most) return
    setGrown(true)
    type({ head, entries: [...entries, ''] })
  }
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isReady) return
    onSend([`/${kind} ${head.trim()}`, ...lines.filter((line) => line !== '')].join('\n'))
    closed.delete(key)
    onClose()
  }
  // Users press Enter after each line of a list, which would post half of it.
  const onKeyDown = (event: KeyboardEvent) => {
    const at = fields().indexOf(event.target as HTMLInputElement)
    if (event.key !== 'Enter' || at === -1) return
    event.preventDefault()
    if (event.ctrlKey || event.metaKey) {
      form.current?.requestSubmit()
      return
    }
    const next = fields()[at + 1]
    if (next) next.focus()
    else if (entries.at(-1)?.trim() !== '') addEntry()
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form ref={form} onSubmit={send} onKeyDown={onKeyDown}>
        <label class="labelled">
          <span>{words.head}</span>
          <input
            class="field"
            dir="auto"
            required
            maxLength={500}
            value={head}
            onInput={(event) => type({ head: event.currentTarget.value, entries })}
          />
        </label>
        {entries.map((entry, index) => (
          <Fragment key={index}>
            <label class="labelled">
              <span>{words.entry(index + 1)}</span>
              <input
                class="field"
                dir="auto"
                maxLength={500}
                value={entry}
                aria-invalid={isRepeated(index)}
                onInput={(event) => type({ head, entries: entries.with(index, event.currentTarget.value) })}
              />
            </label>
            <Refusal>{isRepeated(index) ? t.widget.isThere : ''}</Refusal>
          </Fragment>
        ))}
        {entries.length < ENTRIES.most && (
          <p class="list-form-more">
            <Button onClick={addEntry}>{words.add}</Button>
          </p>
        )}
        <div class="dialog-buttons">
          <Button kind="main" type="submit" disabled={!isReady}>
            {words.create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
