import './chips.css'
import type { FilePart, MessageParts, QuotePart } from '../../state/message-parts.ts'
import { plainOf } from '../../state/plain-markdown.ts'
import { c } from '../../texts/compose.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { SOUND } from '../message/media.ts'
import type { Upload } from './attachments.ts'

const AudioPlayer = onDemand(() => import('../../ui/audio-player.tsx').then((module) => module.AudioPlayer))

interface QuoteChipsProps {
  readonly parts: MessageParts
  readonly onParts: (parts: MessageParts) => void
  readonly onEdit: () => void
}

/** The messages that a text quotes, above it. */
export function QuoteChips({ parts, onParts, onEdit }: QuoteChipsProps) {
  const without = (quote: QuotePart) => parts.quotes.filter((one) => one !== quote)
  return (
    <div class="quote-chips">
      {parts.quotes.map((quote, index) => (
        <figure
          key={`${index} ${quote.markdown.length}`}
          class="quote-chip"
          aria-label={c.quoteOf(quote.sender)}
        >
          <figcaption class="one-line" dir="auto">
            {quote.sender}
          </figcaption>
          <blockquote class="one-line" dir="auto">
            {plainOf(quote.said)}
          </blockquote>
          <IconButton icon="edit" label={c.editQuote} onClick={onEdit} />
          <IconButton
            icon="close"
            label={c.removeQuote}
            onClick={() => onParts({ ...parts, quotes: without(quote) })}
          />
        </figure>
      ))}
    </div>
  )
}

interface FileChipsProps {
  readonly parts: MessageParts
  readonly uploads: readonly Upload[]
  readonly onParts: (parts: MessageParts) => void
}

const PICTURE = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i

/** The files that a text has, and those on their way, below it. */
export function FileChips({ parts, uploads, onParts }: FileChipsProps) {
  const without = (file: FilePart) => parts.files.filter((one) => one !== file)
  return (
    <ul class="file-chips">
      {parts.files.map((file) => (
        <li key={file.url} class={SOUND.test(file.url) ? 'file-chip file-chip-sound' : 'file-chip'}>
          {PICTURE.test(file.url) ? <img src={file.url} alt="" /> : <Icon name="attach" />}
          <span class="one-line" dir="auto">
            {file.name || file.url.split('/').at(-1)}
          </span>
          <IconButton
            icon="close"
            label={c.removeFile(file.name)}
            onClick={() => onParts({ ...parts, files: without(file) })}
          />
          {SOUND.test(file.url) && <AudioPlayer src={file.url} name={file.name} />}
        </li>
      ))}
      {uploads.map(({ name, part, stop }, index) => (
        <li key={`${index} ${name}`} class="file-chip upload">
          <Icon name="attach" />
          <span class="one-line" dir="auto">
            {name}
          </span>
          <progress value={part} max={1} aria-label={name} />
          <IconButton icon="close" label={c.cancelUpload(name)} onClick={() => stop.abort()} />
        </li>
      ))}
    </ul>
  )
}
