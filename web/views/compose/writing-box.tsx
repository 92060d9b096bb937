import './writing-box.css'
import { CircleQuestionMark } from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { preview } from '../../actions/message-changes.ts'
import { state } from '../../chat.ts'
import { gifWordsOf } from '../../state/commands.ts'
import type { Conversation } from '../../state/conversation.ts'
import { gifSourceOf } from '../../state/gifs.ts'
import { type MessageParts, wholeOf } from '../../state/message-parts.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { attempt } from '../announcement.tsx'
import { HtmlText } from '../message/html-text.tsx'
import { settings } from '../preferences.ts'
import type { WritingAction } from './actions.ts'
import type { Upload } from './attachments.ts'
import { FileChips, QuoteChips } from './chips.tsx'
import { insertLater } from './editing.ts'
import { EmojiButton } from './emoji-button.tsx'
import { FormatToolbar } from './format-toolbar.tsx'
import { MarkdownBox } from './markdown-box.tsx'
import { FormatHelp, GifPicker, PlusMenu, SnippetMenu } from './parts.ts'

/** The surface that is open beside the text. */
type Surface = { readonly kind: 'plus' | 'snippets' } | { readonly kind: 'gifs'; readonly words: string }

interface WritingBoxProps {
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly class?: string
  readonly label: string
  readonly placeholder?: string
  /** The destination of the text, whose people are suggested first. */
  readonly where: Conversation | undefined
  readonly parts: MessageParts
  readonly onParts: (parts: MessageParts) => void
  /** Shows the quotes as Markdown. */
  readonly onEditQuotes?: () => void
  readonly uploads: readonly Upload[]
  readonly onFiles: (files: Iterable<File>) => void
  /** The actions of the `+` menu. Files, GIFs and snippets are handled here, the others by `onAction`. */
  readonly offered: readonly WritingAction[]
  readonly onAction?: (action: WritingAction) => void
  /** Whether the text is of a new message, which `/gif words` can begin. */
  readonly isNew?: boolean
  /** Sends or saves the text. */
  readonly onEnd: () => void
  /** Called with keys that nothing here handles. Returns whether it has handled the key. */
  readonly onKey: (event: KeyboardEvent) => boolean
  readonly onSelect?: () => void
  /** A part above the buttons. */
  readonly above?: ComponentChildren
  /** Further buttons, one of which may end the text. */
  readonly buttons?: (end: () => void) => ComponentChildren
}

/** The box for the text of a message, new or edited: with quotes, files, formats, a preview and the `+` menu. */
export function WritingBox(props: WritingBoxProps) {
  const { box, parts, uploads, onParts, onFiles } = props
  const files = useRef<HTMLInputElement>(null)
  const plus = useRef<HTMLButtonElement>(null)
  const [surface, setSurface] = useState<Surface>()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [previewed, setPreviewed] = useState<{ readonly text: string; readonly html: string }>()
  const { enter_sends } = settings()
  const gifSource = gifSourceOf(state)
  const offered = props.offered.filter((action) => action !== 'gif' || gifSource)
  const text = wholeOf(parts)
  useEffect(() => setPreviewed(undefined), [text])
  // The preview may arrive after a change of the text.
  const html = previewed?.text === text ? previewed.html : undefined
  const isPreview = html !== undefined
  const insert = (inserted: string) => insertLater(box, inserted)
  const close = () => setSurface((now) => (now === surface ? undefined : now))
  const perform = (action: WritingAction, words = '') => {
    // A menu first returns the focus to its button.
    setTimeout(() => {
      if (action === 'file') files.current?.click()
      else if (action === 'gif') setSurface({ kind: 'gifs', words })
      else if (action === 'snippet') setSurface({ kind: 'snippets' })
      else props.onAction?.(action)
    })
  }
  const end = () => {
    const words = gifSource && props.isNew ? gifWordsOf(text) : undefined
    if (words === undefined) return props.onEnd()
    onParts({ quotes: [], body: '', files: [] })
    perform('gif', words)
  }
  const onKey = (event: KeyboardEvent): boolean => {
    const isEnd =
      event.key === 'Enter' && (event.ctrlKey || event.metaKey || (enter_sends && !event.shiftKey))
    if (isEnd) end()
    return isEnd || props.onKey(event)
  }
  const togglePreview = async () => {
    const shown = isPreview ? undefined : await attempt(preview(text))
    setPreviewed(shown === undefined ? undefined : { text, html: shown })
  }
  return (
    <div class="compose-box">
      {parts.quotes.length > 0 && (
        <QuoteChips parts={parts} onParts={onParts} onEdit={() => props.onEditQuotes?.()} />
      )}
      {html === undefined ? (
        <MarkdownBox
          box={box}
          class={`compose-text ${props.class ?? ''}`}
          value={parts.body}
          label={props.label}
          placeholder={props.placeholder}
          where={props.where}
          onValue={(body) => onParts({ ...parts, body })}
          onKey={onKey}
          onSelect={props.onSelect}
          onFiles={onFiles}
          offered={offered}
          onAction={perform}
        />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it may be longer than the space it has
        <section class="compose-preview" tabIndex={0} aria-label={t.compose.preview}>
          <HtmlText html={html} />
        </section>
      )}
      {parts.files.length + uploads.length > 0 && (
        <FileChips parts={parts} uploads={uploads} onParts={onParts} />
      )}
      {props.above}
      <div class="compose-buttons">
        <input
          ref={files}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            onFiles([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
        <IconButton
          icon="plus"
          label={c.add}
          buttonRef={plus}
          disabled={isPreview}
          aria-haspopup="menu"
          aria-expanded={surface?.kind === 'plus'}
          onClick={() => setSurface({ kind: 'plus' })}
        />
        <FormatToolbar box={box} disabled={isPreview} />
        <IconButton
          icon={CircleQuestionMark}
          class="format-help-button"
          label={c.formatHelp}
          aria-haspopup="dialog"
          onClick={() => setHelpOpen(true)}
        />
        <EmojiButton disabled={isPreview} onInsert={insert} />
        <IconButton
          icon="preview"
          label={t.compose.preview}
          aria-pressed={isPreview}
          disabled={text.trim() === ''}
          onClick={togglePreview}
        />
        {props.buttons?.(end)}
      </div>
      {isHelpOpen && <FormatHelp onClose={() => setHelpOpen(false)} />}
      {surface?.kind === 'plus' && (
        <PlusMenu anchor={plus.current!} offered={offered} onChoose={perform} onClose={close} />
      )}
      {surface?.kind === 'snippets' && (
        <SnippetMenu anchor={plus.current!} onInsert={insert} onClose={close} />
      )}
      {surface?.kind === 'gifs' && gifSource && (
        <GifPicker
          anchor={plus.current!}
          source={gifSource}
          words={surface.words}
          onInsert={insert}
          onClose={close}
        />
      )}
    </div>
  )
}
