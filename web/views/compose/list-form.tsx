import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { c } from '../../texts/compose.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** The text of a closed form, which is there again when the form is reopened. */
export interface KeptList {
  readonly head: string
  readonly entries: readonly string[]
}

interface ListFormProps {
  readonly kind: 'poll' | 'todo'
  readonly kept: KeptList | undefined
  readonly onKeep: (kept: KeptList | undefined) => void
  readonly onSend: (content: string) => void
  readonly onClose: () => void
}

/** The initial and the largest number of fields. */
const ENTRIES = { first: 3, most: 50 } as const

/** A form for a poll or a list of tasks: sent as the message that a command makes of it. */
export function ListForm({ kind, kept, onKeep, onSend, onClose }: ListFormProps) {
  const words =
    kind === 'poll'
      ? { ...c.pollForm, head: c.pollForm.question, entry: c.pollForm.option, add: c.pollForm.addOption }
      : { ...c.todoForm, head: c.todoForm.name, entry: c.todoForm.task, add: c.todoForm.addTask }
  const [{ head, entries }, setTyped] = useState<KeptList>(
    kept ?? { head: '', entries: Array(ENTRIES.first).fill('') },
  )
  const [isGrown, setGrown] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const fields = () => [...form.current!.querySelectorAll('input')]
  // Before the next key.
  useLayoutEffect(() => {
    if (isGrown) fields().at(-1)?.focus()
  }, [isGrown, entries.length])
  const type = (next: KeptList) => {
    setTyped(next)
    onKeep(next)
  }
  const addEntry = () => {
    if (entries.length === ENTRIES.most) return
    setGrown(true)
    type({ head, entries: [...entries, ''] })
  }
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    const lines = [head, ...entries].map((line) => line.trim())
    const content = [`/${kind} ${lines[0]}`, ...lines.slice(1).filter((line) => line !== '')].join('\n')
    onSend(content)
    onKeep(undefined)
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
            required
            maxLength={500}
            value={head}
            onInput={(event) => type({ head: event.currentTarget.value, entries })}
          />
        </label>
        {entries.map((entry, index) => (
          <label key={index} class="labelled">
            <span>{words.entry(index + 1)}</span>
            <input
              class="field"
              maxLength={500}
              value={entry}
              onInput={(event) => type({ head, entries: entries.with(index, event.currentTarget.value) })}
            />
          </label>
        ))}
        {entries.length < ENTRIES.most && (
          <p>
            <Button onClick={addEntry}>{words.add}</Button>
          </p>
        )}
        <div class="dialog-buttons">
          <Button kind="main" type="submit" disabled={head.trim() === ''}>
            {words.create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
