import './files.css'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { fillWindow, loadOlder } from '../../actions/message-windows.ts'
import { connection } from '../../actions/session.ts'
import { state, watch } from '../../chat.ts'
import { names } from '../../navigation.ts'
import { type Address, printAddress } from '../../state/addresses.ts'
import { shownMessage } from '../../state/muted-people.ts'
import { channelOfNarrow, conversationOfNarrow, type Narrow, narrowKey } from '../../state/narrow.ts'
import { printSearch } from '../../state/search-text.ts'
import { closeWindow, openWindow } from '../../state/windows.ts'
import { hasWords } from '../../state/words.ts'
import { r } from '../../texts/reading.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loading } from '../../ui/empty.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { attempt } from '../announcement.tsx'
import { channelName, conversationName, userName } from '../words.ts'
import { FileCard } from './file-card.tsx'
import { type SharedKind, sharedIn } from './shared-files.ts'

export { loadReadingTexts } from '../../texts/reading.ts'

const KINDS = ['attachment', 'image', 'link'] as const
/** Messages that are fetched first. */
const FIRST = 60

/** What was shared in a channel, a conversation or by a person, as cards, newest first. */
export function FilesView({ shown }: { readonly shown: Extract<Address, { view: 'files' }> }) {
  const kind = kindOf(shown.narrow)
  const place = shown.narrow.filter(({ operator }) => operator !== 'has')
  const narrow: Narrow = [...place, { operator: 'has', operand: kind }]
  const key = narrowKey(narrow)
  const channelId = channelOfNarrow(place)
  const isThere = channelId === undefined || state.channels.has(channelId)
  watch(`window ${key}`, 'user', 'channel', 'muted users')
  const window = useMemo(() => openWindow(state, narrow), [key])
  useEffect(() => () => closeWindow(state, narrow), [key])
  const [failed, setFailed] = useState(false)
  const [filter, setFilter] = useState('')
  const load = () => {
    setFailed(false)
    fillWindow(window, { anchor: 'newest', num_before: FIRST, num_after: 0 }).catch(() => setFailed(true))
  }
  useEffect(() => {
    if (isThere) load()
  }, [key])
  const isLive = connection.value.kind === 'live'
  useEffect(() => {
    if (isLive && failed && isThere) load()
  }, [isLive])
  const words = filter.trim()
  const files = window.ids
    .toReversed()
    .flatMap((id) => {
      const message = shownMessage(state, id)
      return message ? sharedIn(message, kind) : []
    })
    .filter(({ name, message }) => words === '' || hasWords(`${name} ${userName(message.sender_id)}`, words))
  const title = titleOf(place)
  if (!isThere) {
    return (
      <>
        <header class="view-head">
          <h1>{t.views.files}</h1>
        </header>
        <Empty title={t.compose.unknownChannel} />
      </>
    )
  }
  return (
    <>
      <header class="view-head">
        <Icon name="attach" />
        <h1 class="one-line" dir="auto">
          {title}
        </h1>
        <span class="view-head-space" />
        <FilterField value={filter} onFilter={setFilter} />
      </header>
      <div class="view-scroll">
        <div class="view-inner files">
          <FilterChips
            label={r.search.has}
            chips={KINDS.map((one) => ({
              key: one,
              name: r.search.kinds[one],
              isOn: one === kind,
              href: printAddress(
                { view: 'files', narrow: [...place, { operator: 'has', operand: one }] },
                names,
              ),
            }))}
          />
          {failed && !window.isLoaded ? (
            <Empty title={t.list.failed}>
              <Button onClick={load}>{t.tryAgain}</Button>
            </Empty>
          ) : !window.isLoaded ? (
            <Loading label={t.loading} />
          ) : files.length === 0 ? (
            words !== '' ? (
              <Empty icon="search" title={t.inbox.noMatch} />
            ) : (
              <Empty icon="attach" title={kind === 'attachment' ? r.files.none : t.nothing.here}>
                <p>{r.files.noneHint}</p>
              </Empty>
            )
          ) : (
            <ul class="file-grid" aria-label={title}>
              {files.map((file) => (
                <FileCard key={`${file.message.id} ${file.href}`} file={file} kind={kind} />
              ))}
            </ul>
          )}
          {window.isLoaded && !window.atOldest && (
            <p class="files-more">
              <Button onClick={() => attempt(loadOlder(window))}>{r.files.older}</Button>
            </p>
          )}
        </div>
      </div>
    </>
  )
}

function kindOf(narrow: Narrow): SharedKind {
  const term = narrow.find(({ operator, negated }) => operator === 'has' && !negated)
  return KINDS.find((kind) => kind === term?.operand) ?? 'attachment'
}

function titleOf(place: Narrow): string {
  const conversation = conversationOfNarrow(place)
  if (conversation) return r.files.in(conversationName(conversation))
  const channelId = channelOfNarrow(place)
  const [term] = place
  if (place.length === 0) return t.views.files
  if (place.length === 1 && channelId !== undefined) return r.files.in(`#${channelName(channelId)}`)
  if (place.length === 1 && term?.operator === 'sender' && !term.negated)
    return r.files.from(userName(term.operand))
  return r.files.in(printSearch(state, place))
}
