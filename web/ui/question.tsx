import { useState } from 'preact/hooks'
import { t } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useKeptFocus } from './kept-focus.ts'
import { Refusal } from './refusal.tsx'

/** A question that is asked before an action. */
export interface Question {
  readonly title: string
  readonly text: string
  /** The word on the button that does it, where that of the view names a value. */
  readonly button?: string
  /** The word on the button that leaves everything as it is, where “Cancel” would be ambiguous. */
  readonly no?: string
}

interface QuestionDialogProps {
  readonly question: Question
  /** The button that does it. */
  readonly button: string
  readonly kind?: 'plain' | 'main' | 'danger'
  /** Resolves to the reason for which it was refused, which is shown; otherwise the dialog is closed. */
  readonly onAct: () => Promise<string | undefined>
  readonly onClose: () => void
}

export function QuestionDialog({ question, button, kind = 'danger', onAct, onClose }: QuestionDialogProps) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const noteFocus = useKeptFocus(isBusy)
  const act = async () => {
    noteFocus()
    setBusy(true)
    setRefusal('')
    const said = await onAct()
    setBusy(false)
    setRefusal(said ?? '')
    if (said === undefined) onClose()
  }
  return (
    <Dialog title={question.title} onClose={onClose}>
      <p>{question.text}</p>
      <Refusal>{refusal}</Refusal>
      <div class="dialog-buttons">
        <Button onClick={onClose}>{question.no ?? t.cancel}</Button>
        <Button kind={kind} disabled={isBusy} onClick={act}>
          {question.button ?? button}
        </Button>
      </div>
    </Dialog>
  )
}
