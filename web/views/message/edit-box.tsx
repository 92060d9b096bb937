import { signal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { failureOf } from '../../actions/call.ts'
import { edit, sourceOf } from '../../actions/messages.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { takePaste } from '../compose/paste.ts'
import { rowElement } from '../conversation/selection.ts'

/** The message that is being edited. */
export const editedId = signal<number | undefined>(undefined)

/** Texts that are being edited, kept while the row is out of the document. */
const texts = new Map<number, string>()

/** The box for editing a message, which replaces it. */
export function EditBox({ id }: { readonly id: number }) {
  const [text, setText] = useState(texts.get(id))
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (text !== undefined) return
    sourceOf(id).then(setText, (error) => setFailure(failureOf(error).text || t.noConnection))
  }, [])
  useEffect(() => {
    const element = box.current
    if (!element) return
    element.focus()
    element.setSelectionRange(element.value.length, element.value.length)
  }, [text === undefined])
  const end = () => {
    texts.delete(id)
    editedId.value = undefined
    rowElement(id)?.focus({ preventScroll: true })
  }
  const save = async () => {
    setBusy(true)
    setFailure('')
    try {
      await edit(id, text ?? '')
      end()
    } catch (error) {
      setFailure(failureOf(error).text || t.noConnection)
      setBusy(false)
    }
  }
  return (
    <div class="edit-box">
      {text !== undefined && (
        <textarea
          ref={box}
          class="field"
          aria-label={t.message.edit}
          value={text}
          dir="auto"
          onInput={(event) => {
            texts.set(id, event.currentTarget.value)
            setText(event.currentTarget.value)
          }}
          onPaste={(event) => takePaste(event)}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key === 'Escape') end()
            else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
          }}
        />
      )}
      {failure && (
        <p class="refusal" role="alert">
          {failure}
        </p>
      )}
      <div class="edit-box-buttons">
        <Button kind="main" disabled={isBusy || text === undefined} onClick={save}>
          {t.save}
        </Button>
        <Button onClick={end}>{t.cancel}</Button>
        <span class="small soft">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
      </div>
    </div>
  )
}
