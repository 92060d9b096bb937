import { signal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { failureOf } from '../../actions/call.ts'
import { sourceOf } from '../../actions/changing-messages.ts'
import { edit } from '../../actions/message-changes.ts'
import { state } from '../../chat.ts'
import { type Conversation, conversationOf } from '../../state/conversation.ts'
import { partsOf, wholeOf } from '../../state/message-parts.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { announce } from '../announcement.tsx'
import { type Upload, upload } from '../compose/attachments.ts'
import { FileChips } from '../compose/chips.tsx'
import { keepText } from '../compose/compose-state.ts'
import { FormatToolbar } from '../compose/format-toolbar.tsx'
import { MarkdownBox } from '../compose/markdown-box.tsx'
import { editedId, rowElement } from '../conversation/selection.ts'
import { settings } from '../preferences.ts'

export { loadComposeTexts } from '../../texts/compose.ts'

/** Texts that are being edited, kept while the row is out of the document. */
const texts = new Map<number, string>()

/** The box for editing a message, which replaces it. */
export function EditBox({ id }: { readonly id: number }) {
  const [text, setText] = useState(texts.get(id))
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const uploads = useMemo(() => signal<readonly Upload[]>([]), [])
  const { enter_sends } = settings()
  const shown = partsOf(text ?? '', { keepsQuotes: true })
  const message = state.messages.get(id)
  const where = message && conversationOf(message, state.me)
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
  useEffect(() => () => rescue(id, where), [])
  const write = (next: string) => {
    texts.set(id, next)
    setText(next)
  }
  const add = (markdown: string) => {
    const { body, ...rest } = partsOf(texts.get(id) ?? text ?? '', { keepsQuotes: true })
    const [file] = partsOf(markdown).files
    if (file) write(wholeOf({ body, ...rest, files: [...rest.files, file] }))
    box.current?.focus()
  }
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
  const onKey = (event: KeyboardEvent): boolean => {
    const isSave =
      event.key === 'Enter' && (event.ctrlKey || event.metaKey || (enter_sends && !event.shiftKey))
    if (isSave) void save()
    else if (event.key === 'Escape') end()
    return isSave
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it keeps its keys from the page, whose shortcuts they are
    <div class="edit-box" onKeyDown={(event) => event.stopPropagation()}>
      {text !== undefined && (
        <div class="compose-box">
          <MarkdownBox
            box={box}
            class="compose-text edit-text"
            label={t.message.edit}
            value={shown.body}
            where={where}
            onValue={(body) => write(wholeOf({ ...shown, body }))}
            onFiles={(files) => {
              for (const file of files) void upload(file, uploads, add)
            }}
            onKey={onKey}
          />
          {shown.files.length + uploads.value.length > 0 && (
            <FileChips parts={shown} uploads={uploads.value} onParts={(next) => write(wholeOf(next))} />
          )}
          <div class="compose-buttons">
            <FormatToolbar box={box} />
          </div>
        </div>
      )}
      {failure && (
        <p class="refusal" role="alert">
          {failure}
        </p>
      )}
      <div class="edit-box-buttons">
        <Button
          kind="main"
          disabled={isBusy || text === undefined || uploads.value.length > 0}
          onClick={save}
        >
          {t.save}
        </Button>
        <Button onClick={end}>{t.cancel}</Button>
        <span class="small soft">
          {!enter_sends && <kbd>Ctrl</kbd>} <kbd>Enter</kbd>
        </span>
      </div>
    </div>
  )
}

/** Keeps what was written in the box of a message that has been deleted meanwhile, as a draft for its conversation. */
function rescue(id: number, where: Conversation | undefined): void {
  const text = texts.get(id)
  if (state.messages.has(id) || text === undefined) return
  texts.delete(id)
  editedId.value = undefined
  if (!where) return
  keepText(where, text)
  announce(c.editedIsDeleted)
}
