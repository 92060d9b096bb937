import { useState } from 'preact/hooks'
import { c } from '../../texts/compose.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface ListFormProps {
  readonly kind: 'poll' | 'todo'
  readonly onSend: (content: string) => void
  readonly onClose: () => void
}

/** Fields that are there at first, and how many there may be. */
const ENTRIES = { first: 3, most: 50 } as const

/** A form for a poll or a list of tasks: sent as the message that a command makes of it. */
export function ListForm({ kind, onSend, onClose }: ListFormProps) {
  const words =
    kind === 'poll'
      ? { ...c.pollForm, head: c.pollForm.question, entry: c.pollForm.option, add: c.pollForm.addOption }
      : { ...c.todoForm, head: c.todoForm.name, entry: c.todoForm.task, add: c.todoForm.addTask }
  const [head, setHead] = useState('')
  const [entries, setEntries] = useState<readonly string[]>(Array(ENTRIES.first).fill(''))
  const lines = [head, ...entries].map((line) => line.trim())
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    const content = [`/${kind} ${lines[0]}`, ...lines.slice(1).filter((line) => line !== '')].join('\n')
    onSend(content)
    onClose()
  }
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form onSubmit={send}>
        <label class="labelled">
          <span>{words.head}</span>
          <input
            class="field"
            required
            maxLength={500}
            value={head}
            onInput={(event) => setHead(event.currentTarget.value)}
          />
        </label>
        {entries.map((entry, index) => (
          <label key={index} class="labelled">
            <span>{words.entry(index + 1)}</span>
            <input
              class="field"
              maxLength={500}
              value={entry}
              onInput={(event) => setEntries(entries.with(index, event.currentTarget.value))}
            />
          </label>
        ))}
        {entries.length < ENTRIES.most && (
          <p>
            <Button onClick={() => setEntries([...entries, ''])}>{words.add}</Button>
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
