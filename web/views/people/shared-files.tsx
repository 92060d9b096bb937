import './shared-files.css'
import { useEffect, useState } from 'preact/hooks'
import { findFiles } from '../../actions/search.ts'
import { state, watch } from '../../chat.ts'
import { hrefOfMessage } from '../../navigation.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import { type Narrow, narrowKey } from '../../state/narrow.ts'
import { f } from '../../texts/frame.ts'
import { Icon } from '../../ui/icon.tsx'
import { sinceShort } from '../../ui/time.tsx'
import { safeNodes } from '../message/safe-html.ts'
import { now } from '../preferences.ts'
import { userName } from '../words.ts'

export { loadFrameTexts } from '../../texts/frame.ts'

/** The number of messages whose files are listed. */
const MESSAGES = 30
const FILES = 'a[href*="/user_uploads/"]'

interface SharedFile {
  readonly messageId: number
  readonly name: string
  readonly senderId: number
  readonly seconds: number
}

/** The newest files of a conversation, each of which leads to its message. */
export function SharedFiles({ narrow }: { readonly narrow: Narrow }) {
  const key = narrowKey(narrow)
  watch(`window ${key}`, 'message')
  const [files, setFiles] = useState<readonly SharedFile[]>([])
  const newest = state.windows
    .get(key)
    ?.ids.findLast((id) => state.messages.get(id)?.content.includes('/user_uploads/'))
  useEffect(() => {
    findFiles(narrow, MESSAGES).then(
      (messages) =>
        setFiles(
          messages.flatMap(({ id, content, sender_id, timestamp }) =>
            (isMutedPerson(state, sender_id) ? [] : namesIn(content)).map((name) => ({
              messageId: id,
              name,
              senderId: sender_id,
              seconds: timestamp,
            })),
          ),
        ),
      () => {},
    )
  }, [newest])
  if (files.length === 0) return null
  return (
    <section aria-label={f.card.files}>
      <h2 class="sidebar-heading">{f.card.files}</h2>
      <ul>
        {files.map(({ messageId, name, senderId, seconds }) => (
          <li key={`${messageId} ${name}`}>
            <a class="shared-file" href={hrefOfMessage(messageId)}>
              <Icon name="attach" />
              <span class="people-name">
                <span class="one-line" dir="auto">
                  {name}
                </span>
                <span class="one-line small soft">
                  {userName(senderId)} · {sinceShort(seconds, now.value)}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Returns the names of the files that a message links to, each once. */
function namesIn(html: string): string[] {
  const byAddress = new Map<string, string>()
  for (const link of safeNodes(html).querySelectorAll<HTMLAnchorElement>(FILES)) {
    const name = link.textContent?.trim() || link.title || decodeURI(link.pathname.split('/').at(-1) ?? '')
    if (!byAddress.has(link.pathname)) byAddress.set(link.pathname, name)
  }
  return [...byAddress.values()]
}
