import { useState } from 'preact/hooks'
import { failureOf } from '../../actions/call.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { MarkdownField } from './form-fields.ts'

interface ScheduledDialogProps {
  readonly title: string
  /** UNIX seconds. */
  readonly at: number
  /** Undefined: the text cannot be changed here. */
  readonly text?: string
  readonly onSave: (at: number, text: string) => Promise<void>
  readonly onClose: () => void
}

/** The dialog of a scheduled message: its time, and its text. */
export function ScheduledDialog({ title, onSave, onClose, ...before }: ScheduledDialogProps) {
  const [at, setAt] = useState(before.at)
  const [text, setText] = useState(before.text ?? '')
  const [refusal, setRefusal] = useState('')
  const [isBusy, setBusy] = useState(false)
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    setRefusal('')
    try {
      await onSave(at, text.trim())
      onClose()
    } catch (error) {
      setRefusal(failureOf(error).text || t.noConnection)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={save}>
        {refusal && (
          <p class="refusal" role="alert">
            {refusal}
          </p>
        )}
        {before.text !== undefined && <MarkdownField label={t.drafts.text} value={text} onValue={setText} />}
        <TimeField label={t.times.when} value={at} onChange={setAt} />
        <div class="dialog-buttons">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            type="submit"
            kind="main"
            disabled={isBusy || (before.text !== undefined && text.trim() === '')}
          >
            {before.text === undefined ? title : t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
