import { useState } from 'preact/hooks'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { useAction } from '../use-action.tsx'
import { MarkdownField } from './form-fields.ts'

interface ScheduledDialogProps {
  readonly title: string
  /** Absent: the title. */
  readonly button?: string
  /** UNIX seconds. */
  readonly at: number
  /** Undefined: the text is elsewhere. */
  readonly text?: string
  readonly onSave: (at: number, text: string) => Promise<void>
  readonly onClose: () => void
}

/** The dialog of a scheduled message: its time, and its text. */
export function ScheduledDialog({ title, button = title, onSave, onClose, ...before }: ScheduledDialogProps) {
  const [at, setAt] = useState(before.at)
  const [text, setText] = useState(before.text ?? '')
  const { run, refusal, isBusy } = useAction(onClose)
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void run(() => onSave(at, text.trim()))
        }}
      >
        {refusal}
        {before.text !== undefined && (
          <MarkdownField
            label={c.drafts.text}
            value={text}
            onValue={setText}
            takesFocus={before.text === ''}
          />
        )}
        <TimeField label={t.times.when} value={at} onChange={setAt} />
        <div class="dialog-buttons">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            type="submit"
            kind="main"
            disabled={isBusy || (before.text !== undefined && text.trim() === '')}
          >
            {button}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
