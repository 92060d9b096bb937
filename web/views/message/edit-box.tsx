import { signal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { failureOf } from '../../actions/call.ts'
import { sourceOf } from '../../actions/changing-messages.ts'
import { edit, preview } from '../../actions/message-changes.ts'
import { state } from '../../chat.ts'
import { type Conversation, conversationOf } from '../../state/conversation.ts'
import { gifSourceOf } from '../../state/gifs.ts'
import { partsOf, wholeOf } from '../../state/message-parts.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { announce, attempt } from '../announcement.tsx'
import type { WritingAction } from '../compose/actions.ts'
import { type Upload, upload } from '../compose/attachments.ts'
import { FileChips } from '../compose/chips.tsx'
import { keepText } from '../compose/compose-state.ts'
import { insertLater } from '../compose/editing.ts'
import { EmojiButton } from '../compose/emoji-button.tsx'
import { FormatToolbar } from '../compose/format-toolbar.tsx'
import { MarkdownBox } from '../compose/markdown-box.tsx'
import { GifPicker, PlusMenu, SnippetMenu } from '../compose/parts.ts'
import { editedId, quietlyEdited, rowElement } from '../conversation/selection.ts'
import { settings } from '../preferences.ts'
import { HtmlText } from './html-text.tsx'
import { forgetEdit, keepEdit, keptEdit } from './kept-edits.ts'

export { loadComposeTexts } from '../../texts/compose.ts'

/** What is open beside the text. */
type Open = { readonly kind: 'plus' | 'snippets' } | { readonly kind: 'gifs'; readonly words: string }

/** The box for editing a message, which replaces it. It has what the box for writing has, as far as it changes a text. */
export function EditBox({ id }: { readonly id: number }) {
  const [text, setText] = useState(() => keptEdit(id))
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [shownPreview, setPreview] = useState<string>()
  const [open, setOpen] = useState<Open>()
  const box = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const plus = useRef<HTMLButtonElement>(null)
  const takesFocus = useMemo(() => !quietlyEdited.delete(id), [])
  const uploads = useMemo(() => signal<readonly Upload[]>([]), [])
  const { enter_sends } = settings()
  const shown = partsOf(text ?? '', { keepsQuotes: true })
  const message = state.messages.get(id)
  const where = message && conversationOf(message, state.me)
  const gifSource = gifSourceOf(state)
  const offered: WritingAction[] = gifSource ? ['file', 'gif', 'snippet'] : ['file', 'snippet']
  useEffect(() => {
    if (text !== undefined) return
    sourceOf(id).then(setText, (error) => setFailure(failureOf(error).text || t.noConnection))
  }, [])
  useEffect(() => {
    const element = box.current
    if (!element || !takesFocus) return
    element.focus()
    element.setSelectionRange(element.value.length, element.value.length)
  }, [text === undefined])
  useEffect(() => () => rescue(id, where), [])
  const latest = useRef(text)
  latest.current = text
  const write = (next: string) => {
    latest.current = next
    keepEdit(id, next)
    setText(next)
  }
  const add = (markdown: string) => {
    const { body, ...rest } = partsOf(latest.current ?? '', { keepsQuotes: true })
    const [file] = partsOf(markdown).files
    if (file) write(wholeOf({ body, ...rest, files: [...rest.files, file] }))
    box.current?.focus()
  }
  const attach = (chosen: Iterable<File>) => {
    for (const file of chosen) void upload(file, uploads, add)
  }
  const insert = (inserted: string) => insertLater(box, inserted)
  const perform = (action: WritingAction, words = '') => {
    // A menu first returns the focus to its button.
    setTimeout(() => {
      if (action === 'file') files.current?.click()
      else if (action === 'gif') setOpen({ kind: 'gifs', words })
      else setOpen({ kind: 'snippets' })
    })
  }
  const close = (closed: Open) => setOpen((now) => (now === closed ? undefined : now))
  const end = () => {
    forgetEdit(id)
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
          {shownPreview === undefined ? (
            <MarkdownBox
              box={box}
              class="compose-text edit-text"
              label={t.message.edit}
              value={shown.body}
              where={where}
              onValue={(body) => write(wholeOf({ ...shown, body }))}
              onFiles={attach}
              onKey={onKey}
              offered={offered}
              onAction={perform}
            />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it may be longer than the space it has
            <section class="compose-preview" tabIndex={0} aria-label={t.compose.preview}>
              <HtmlText html={shownPreview} />
            </section>
          )}
          {shown.files.length + uploads.value.length > 0 && (
            <FileChips parts={shown} uploads={uploads.value} onParts={(next) => write(wholeOf(next))} />
          )}
          <div class="compose-buttons">
            <input
              ref={files}
              type="file"
              multiple
              hidden
              onChange={(event) => {
                attach([...(event.currentTarget.files ?? [])])
                event.currentTarget.value = ''
              }}
            />
            <IconButton
              icon="plus"
              label={t.compose.add}
              buttonRef={plus}
              disabled={shownPreview !== undefined}
              aria-haspopup="menu"
              aria-expanded={open?.kind === 'plus'}
              onClick={() => setOpen({ kind: 'plus' })}
            />
            <FormatToolbar box={box} disabled={shownPreview !== undefined} />
            <EmojiButton disabled={shownPreview !== undefined} onInsert={insert} />
            <IconButton
              icon="preview"
              label={t.compose.preview}
              aria-pressed={shownPreview !== undefined}
              disabled={text.trim() === ''}
              onClick={async () => {
                if (shownPreview === undefined) setPreview(await attempt(preview(text)))
                else setPreview(undefined)
              }}
            />
          </div>
          {open?.kind === 'plus' && (
            <PlusMenu
              anchor={plus.current!}
              offered={offered}
              onChoose={(action) => perform(action)}
              onClose={() => close(open)}
            />
          )}
          {open?.kind === 'snippets' && (
            <SnippetMenu anchor={plus.current!} onInsert={insert} onClose={() => close(open)} />
          )}
          {open?.kind === 'gifs' && gifSource && (
            <GifPicker
              anchor={plus.current!}
              source={gifSource}
              words={open.words}
              onInsert={insert}
              onClose={() => close(open)}
            />
          )}
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
  const text = keptEdit(id)
  if (state.messages.has(id) || text === undefined) return
  forgetEdit(id)
  editedId.value = undefined
  if (!where) return
  keepText(where, text)
  announce(c.editedIsDeleted)
}
