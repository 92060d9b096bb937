import { type Signal, signal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { failureOf } from '../../actions/call.ts'
import { sourceOf } from '../../actions/changing-messages.ts'
import { digestOf } from '../../actions/digest.ts'
import { forgetEdit, keepEdit, keptEdit, onEditElsewhere } from '../../actions/kept-edits.ts'
import { edit } from '../../actions/message-changes.ts'
import { state } from '../../chat.ts'
import { conversationOf } from '../../state/conversation.ts'
import { partsOf, wholeOf, withFile } from '../../state/message-parts.ts'
import { c } from '../../texts/compose.ts'
import { failureText } from '../../texts/failure-text.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { signOf } from '../../ui/keys.ts'
import { announce } from '../announcement.tsx'
import { type Upload, upload } from '../compose/attachments.ts'
import { change } from '../compose/editing.ts'
import { WritingBox } from '../compose/writing-box.tsx'
import { editedId, quietlyEdited, rowElement } from '../conversation/selection.ts'
import { settings } from '../preferences.ts'
import { HtmlText } from './html-text.tsx'
import { saveAsDraft } from './rescued-edits.ts'

export { loadComposeTexts } from '../../texts/compose.ts'

/** A text of the message, as the server has it. */
interface Saved {
  readonly text: string
  readonly digest: string | undefined
}

async function savedText(id: number): Promise<Saved> {
  const text = await sourceOf(id)
  return { text, digest: await digestOf(text) }
}

interface Edit {
  /** Undefined until the text of the message has come. */
  readonly text: Signal<string | undefined>
  readonly uploads: Signal<readonly Upload[]>
  /** The digest of the text that is being changed. */
  base: string | undefined
  /** The text with which the edit began; unknown of one that is continued after a reload. */
  original?: string
}

/** The edits that have not ended, also while their messages are not shown: a file may be on its way to one. */
const edits = new Map<number, Edit>()

function editOf(id: number): Edit {
  const kept = keptEdit(id)
  const edit: Edit = edits.get(id) ?? { text: signal(undefined), uploads: signal([]), base: undefined }
  if (kept) {
    edit.text.value = kept.text
    edit.base = kept.base
  } else if (edit.uploads.value.length === 0) edit.text.value = undefined
  edits.set(id, edit)
  return edit
}

function dropEdit(id: number): void {
  for (const { stop } of edits.get(id)?.uploads.value ?? []) stop.abort()
  edits.delete(id)
}

/** The box for editing a message, which replaces it. */
export function EditBox({ id }: { readonly id: number }) {
  const own = useMemo(() => editOf(id), [])
  const { text, uploads } = own
  const takesFocus = useMemo(() => !quietlyEdited.delete(id), [])
  /** The message's text that was saved meanwhile, which a save would replace. */
  const [newer, setNewer] = useState<Saved>()
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const { enter_sends } = settings()
  const message = state.messages.get(id)
  const where = message && conversationOf(message, state.me)
  const isLoaded = text.value !== undefined
  const fail = (error: unknown) => setFailure(failureText(error))
  useEffect(() => {
    if (isLoaded) return
    savedText(id).then((saved) => {
      own.base = saved.digest
      own.original = saved.text
      text.value = saved.text
    }, fail)
  }, [])
  useEffect(() => {
    const element = box.current
    if (!element || !takesFocus) return
    element.focus()
    element.setSelectionRange(element.value.length, element.value.length)
  }, [isLoaded])
  useEffect(() => () => rescue(id), [])
  useEffect(
    () =>
      onEditElsewhere(id, (changed) => {
        if (changed) {
          own.base = changed.base
          text.value = changed.text
          setNewer(undefined)
        } else {
          dropEdit(id)
          if (editedId.value === id) editedId.value = undefined
        }
      }),
    [],
  )
  const write = (next: string) => {
    text.value = next
    keepEdit(id, { text: next, base: own.base, where })
  }
  const attach = (chosen: Iterable<File>) => {
    let before: Promise<void> | undefined
    for (const file of chosen) {
      const onDone = (markdown: string) => {
        if (edits.get(id) !== own) return
        write(withFile(text.value ?? '', markdown))
        box.current?.focus()
      }
      before = upload(file, uploads, onDone, { before })
    }
  }
  const end = () => {
    forgetEdit(id)
    dropEdit(id)
    editedId.value = undefined
    rowElement(id)?.focus({ preventScroll: true })
  }
  const giveUp = () => {
    const written = text.value
    end()
    if (written === undefined || written === own.original) return
    announce(c.editGivenUp, async () => {
      keepEdit(id, { text: written, base: own.base, where })
      editedId.value = id
    })
  }
  const maySave = isLoaded && !isBusy && uploads.value.length === 0
  const save = async (over = own.base) => {
    if (!maySave) return
    const written = text.value ?? ''
    setBusy(true)
    setFailure('')
    try {
      await edit(id, written, over)
      end()
    } catch (error) {
      if (failureOf(error).code === 'EXPECTATION_MISMATCH') await compare(written).catch(fail)
      else fail(error)
    }
    setBusy(false)
  }
  const compare = async (written: string) => {
    const saved = await savedText(id)
    // An earlier save, whose answer was lost, has saved it.
    if (saved.text.trim() === written.trim()) end()
    else setNewer(saved)
  }
  const takeNewer = ({ text: saved, digest }: Saved) => {
    own.base = digest
    const { body } = partsOf(saved, { keepsQuotes: true })
    const [start, to] = [body.length, box.current?.value.length ?? 0]
    // The browser's undo brings the own text back.
    if (box.current) change(box.current, { from: 0, to, inserted: body, start, end: start })
    write(saved)
    setNewer(undefined)
  }
  const onKey = ({ key }: KeyboardEvent): boolean => {
    if (key === 'Escape') giveUp()
    return false
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it keeps its keys from the page, whose shortcuts they are
    <div class="edit-box" onKeyDown={(event) => event.stopPropagation()}>
      {text.value === undefined && message && <HtmlText html={message.content} />}
      {text.value !== undefined && (
        <WritingBox
          box={box}
          class="edit-text"
          label={t.message.edit}
          where={where}
          parts={partsOf(text.value, { keepsQuotes: true })}
          onParts={(parts) => write(wholeOf(parts))}
          uploads={uploads.value}
          onFiles={attach}
          offered={['file', 'gif', 'snippet']}
          onEnd={() => void save()}
          onKey={onKey}
        />
      )}
      {failure && (
        <p class="refusal" role="alert">
          {failure}
        </p>
      )}
      {newer && (
        <div class="edit-newer" role="alert">
          <p>{c.changedMeanwhile}</p>
          <blockquote dir="auto">{newer.text}</blockquote>
        </div>
      )}
      <div class="edit-box-buttons">
        <Button kind="main" disabled={!maySave} onClick={() => save(newer ? newer.digest : own.base)}>
          {newer ? c.saveOwn : t.save}
        </Button>
        {newer && <Button onClick={() => takeNewer(newer)}>{c.editNewer}</Button>}
        <Button onClick={giveUp}>{t.cancel}</Button>
        {!newer && (
          <span class="small soft">
            {!enter_sends && <kbd>{signOf('Ctrl')}</kbd>} <kbd>{signOf('Enter')}</kbd>
          </span>
        )}
      </div>
    </div>
  )
}

/** Ends the edit of a message that has been deleted meanwhile, whose text becomes a draft. */
function rescue(id: number): void {
  if (state.messages.has(id)) return
  if (editedId.value === id) editedId.value = undefined
  const kept = keptEdit(id)
  dropEdit(id)
  if (!kept) return
  forgetEdit(id)
  saveAsDraft(kept)
}
