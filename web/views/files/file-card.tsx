import { File, FileArchive, FileAudio, FileCode, FileImage, FileText, FileVideo, type IconNode } from 'lucide'
import { state } from '../../chat.ts'
import { hrefOfConversation } from '../../navigation.ts'
import { conversationOf } from '../../state/conversation.ts'
import { r } from '../../texts/reading.ts'
import { t } from '../../texts/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { dayName } from '../../ui/time.tsx'
import { isPdf } from '../message/media.ts'
import { surface } from '../message/surface.ts'
import { conversationName, userName } from '../words.ts'
import type { SharedFile, SharedKind } from './shared-files.ts'

/** One thing that was shared: what it is, who shared it where and when, and the ways to it. */
export function FileCard({ file, kind }: { readonly file: SharedFile; readonly kind: SharedKind }) {
  const { href, name, picture, dimensions, message } = file
  const isUpload = href.startsWith('/')
  const conversation = conversationOf(message, state.me)
  const facts = [userName(message.sender_id), dayName(message.timestamp)]
  return (
    <li class={kind === 'image' ? 'file-card file-card-picture' : 'file-card'}>
      <a
        class={picture === undefined ? 'file-open' : 'file-open inline-picture'}
        href={href}
        title={name}
        target="_blank"
        rel="noopener noreferrer"
        onClick={(event) => openHere(event, picture !== undefined)}
      >
        <span class="file-look">
          {picture === undefined ? (
            <Icon name={isUpload ? iconOf(href) : 'link'} />
          ) : (
            <img src={picture} alt="" loading="lazy" decoding="async" data-original-dimensions={dimensions} />
          )}
        </span>
        <span class="file-name one-line" dir="auto">
          {name}
        </span>
      </a>
      <p class="file-facts one-line soft" dir="auto">
        {facts.join(' · ')}
      </p>
      <p class="file-facts one-line soft" dir="auto">
        {isUpload || kind === 'image' ? conversationName(conversation) : new URL(href).host}
      </p>
      <p class="file-ways">
        <a
          href={hrefOfConversation(conversation, message.id)}
          aria-label={`${r.files.message}${t.colon}${name}`}
        >
          {r.files.message}
        </a>
        {isUpload && (
          <a
            href={`${href}?download=1`}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`${t.message.download}${t.colon}${name}`}
          >
            {t.message.download}
          </a>
        )}
      </p>
    </li>
  )
}

/** Opens pictures and PDFs in their viewers. */
function openHere(event: MouseEvent, isPicture: boolean): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const opener = event.currentTarget as HTMLAnchorElement
  if (!isPdf(opener) && (!isPicture || opener.origin !== location.origin)) return
  event.preventDefault()
  surface.value = { kind: isPdf(opener) ? 'pdf' : 'picture', opener }
}

const TYPES: readonly (readonly [ending: RegExp, icon: IconNode])[] = [
  [/\.(?:png|jpe?g|gif|webp|avif|heic|svg|bmp|tiff?)$/i, FileImage],
  [/\.(?:mp4|webm|mov|mkv|avi)$/i, FileVideo],
  [/\.(?:aac|flac|m4a|mp3|oga|ogg|opus|wav|weba)$/i, FileAudio],
  [/\.(?:zip|tar|gz|tgz|7z|rar|bz2|xz)$/i, FileArchive],
  [/\.(?:js|ts|tsx|py|rb|go|rs|c|h|cpp|java|json|ya?ml|sh|sql|html|css)$/i, FileCode],
  [/\.(?:pdf|docx?|odt|rtf|txt|md|xlsx?|ods|csv|pptx?|odp)$/i, FileText],
]

function iconOf(href: string): IconNode {
  return TYPES.find(([ending]) => ending.test(href.split('?')[0]!))?.[1] ?? File
}
