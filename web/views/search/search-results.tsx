import './search-results.css'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { loadNewer, loadOlder } from '../../actions/message-windows.ts'
import { beginningOf, loadResults } from '../../actions/search.ts'
import { connection } from '../../actions/session.ts'
import { state, watch } from '../../chat.ts'
import { hrefOf, hrefOfConversation, names, visit } from '../../navigation.ts'
import { type Address, printAddress } from '../../state/addresses.ts'
import { conversationOf } from '../../state/conversation.ts'
import { shownMessage } from '../../state/muted-people.ts'
import { channelNarrow, narrowKey, type SearchRange } from '../../state/narrow.ts'
import { cardsOf, wordsForTopics } from '../../state/search-cards.ts'
import { unknownTerms } from '../../state/search-parse.ts'
import { closeWindow, type MessageWindow, openWindow } from '../../state/windows.ts'
import { r } from '../../texts/reading.ts'
import { listed, t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loading } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { dayName, shortTime } from '../../ui/time.tsx'
import { ChannelIcon } from '../channel-icon.tsx'
import { keepPosition, keptPosition } from '../conversation/kept-position.ts'
import { rowElement, type ShownList, selectedId, shownList } from '../conversation/selection.ts'
import { leaving } from '../message/deletions.ts'
import { HtmlText } from '../message/html-text.tsx'
import { MessageRow } from '../message/message-row.tsx'
import { RowActions } from '../message/row-actions.tsx'
import { channelName, peerNames, topicName } from '../words.ts'
import { SearchFilters } from './search-filters.tsx'
import { TopicCard } from './topic-card.tsx'

export { loadReadingTexts } from '../../texts/reading.ts'

type SearchAddress = Extract<Address, { view: 'narrow' }>

/** Pixels before the end at which more results are fetched. */
const MORE_AT = 800
/** How often in a row more is fetched by itself while one topic takes all of it. */
const FETCHES_BY_ITSELF = 4

/** What a search has found: a card for each message, which says where it was written. */
export function SearchResults({ shown }: { readonly shown: SearchAddress }) {
  const { narrow, range = {}, isOldestFirst = false } = shown
  const key = narrowKey(narrow)
  watch(`window ${key}`, 'muted users')
  const window = useMemo(() => openWindow(state, narrow), [key])
  useEffect(() => () => closeWindow(state, narrow), [key])
  const question = `${key} ${range.after} ${range.before} ${isOldestFirst} ${visit.value}`
  const [answered, setAnswered] = useState<string>()
  const [failed, setFailed] = useState(false)
  /** The last message of the first answer. */
  const firstEnd = useRef<number>(undefined)
  const fetchesByItself = useRef(0)
  const load = () => {
    setFailed(false)
    fetchesByItself.current = 0
    loadResults(window, range, isOldestFirst).then(
      () => {
        firstEnd.current = isOldestFirst ? window.ids.at(-1) : window.ids[0]
        setAnswered(question)
      },
      () => setFailed(true),
    )
  }
  useEffect(load, [question])
  const isLive = connection.value.kind === 'live'
  useEffect(() => {
    if (isLive && failed) load()
  }, [isLive])

  const view = useRef<HTMLDivElement>(null)
  const isReady = window.isLoaded && answered === question
  const ids = isReady ? found(window, range, isOldestFirst) : []
  const end = firstEnd.current ?? 0
  const cards = cardsOf(state, ids, wordsForTopics(narrow), (id) => (isOldestFirst ? id <= end : id >= end))
  usePlace(key, isReady ? question : undefined, view)
  const isAll = isReady && hasAll(window, range, isOldestFirst)
  const more = () => {
    if (!isReady || isAll) return
    const loading = isOldestFirst ? loadNewer(window) : loadOlder(window)
    loading.catch(() => setFailed(true))
  }
  const onScroll = () => {
    keepPlace(key, view.current!)
    const { scrollHeight, scrollTop, clientHeight } = view.current!
    if (scrollHeight - scrollTop - clientHeight < MORE_AT) more()
  }
  // A page without results in the range cannot be scrolled, so more is fetched.
  useEffect(() => {
    if (!view.current || view.current.scrollHeight > view.current.clientHeight) return
    if (fetchesByItself.current >= FETCHES_BY_ITSELF) return
    fetchesByItself.current += 1
    more()
  }, [window.ids.length, isReady])
  useKeys(view)
  return (
    <>
      <header class="view-head">
        <Icon name="search" />
        <h1>{r.search.title}</h1>
        <span class="soft" role="status">
          {isReady && r.search.results({ count: isAll ? cards.length : atLeast(cards.length), isAll })}
        </span>
        {narrow.some(({ operator, negated }) => operator === 'has' && !negated) && (
          <>
            <span class="view-head-space" />
            <a class="button" href={printAddress({ view: 'files', narrow }, names)}>
              {r.search.asFiles}
            </a>
          </>
        )}
      </header>
      <SearchFilters shown={shown} />
      {failed && ids.length === 0 ? (
        <Empty title={t.list.failed}>
          <Button onClick={load}>{t.tryAgain}</Button>
        </Empty>
      ) : !isReady ? (
        <div class="messages-frame">
          <Loading label={t.loading} />
        </div>
      ) : ids.length === 0 && isAll ? (
        <NoResults shown={shown} />
      ) : (
        <div ref={view} class="messages results" tabIndex={-1} onScroll={onScroll}>
          <section class="messages-inner" aria-label={r.search.title} onKeyDown={openChosen}>
            {cards.map((card) =>
              card.kind === 'message' ? (
                <Result key={card.id} id={card.id} />
              ) : (
                <TopicCard key={`${card.channelId} ${card.topic}`} card={card} isWhole={isAll} />
              ),
            )}
            <RowActions narrow={narrow} onHold={() => () => {}} />
            {!isAll && (
              <p class="inbox-more">
                <Button onClick={more}>{r.search.more}</Button>
              </p>
            )}
          </section>
        </div>
      )}
    </>
  )
}

function NoResults({ shown: { narrow, range } }: { readonly shown: SearchAddress }) {
  const words = narrow.filter(({ operator }) => operator === 'search')
  const isFiltered = range !== undefined || words.length < narrow.length
  const unknown = words.flatMap(({ operand }) => unknownTerms(String(operand)))
  return (
    <Empty icon="search" title={r.search.none}>
      <p>
        {unknown.length > 0
          ? r.search.unknown(listed(unknown))
          : words.length > 0
            ? r.search.noneHint
            : r.search.noneHere}
      </p>
      {isFiltered && words.length > 0 && (
        <p>
          <a class="button" href={hrefOf(words)}>
            {r.search.clear}
          </a>
        </p>
      )}
    </Empty>
  )
}

/** Stores which result is at the top, for returning to it. */
function keepPlace(key: string, view: HTMLElement): void {
  const edge = view.getBoundingClientRect().top
  const cards = [...view.querySelectorAll('.result:has(.message)')]
  const first = cards.find((card) => card.getBoundingClientRect().bottom > edge)
  const id = Number(first?.querySelector<HTMLElement>('.message')?.dataset.id)
  const top = Math.round((first?.getBoundingClientRect().top ?? 0) - edge)
  keepPosition(first && view.scrollTop > 0 ? { key, id, top } : undefined)
}

/** Opens a list of results at the top, or at the stored position. */
function usePlace(
  key: string,
  question: string | undefined,
  view: { readonly current: HTMLDivElement | null },
) {
  useLayoutEffect(() => {
    const list = view.current
    if (question === undefined || !list) return
    const kept = keptPosition(key)
    const card = kept && rowElement(kept.id)?.closest('.result')
    list.scrollTop = 0
    if (card) list.scrollTop = card.getBoundingClientRect().top - list.getBoundingClientRect().top - kept.top
  }, [question])
}

/** Returns the ids of the window that are in the range, in order. */
function found({ ids }: MessageWindow, { after, before }: SearchRange, isOldestFirst: boolean): number[] {
  const from = after === undefined ? Number.NEGATIVE_INFINITY : beginningOf(after)
  const to = before === undefined ? Number.POSITIVE_INFINITY : beginningOf(before)
  const inRange = ids.filter((id) => {
    const message = shownMessage(state, id)
    if (!message || leaving.value.has(id)) return false
    return message.timestamp >= from && message.timestamp < to
  })
  return isOldestFirst ? inRange : inRange.reverse()
}

/** Whether there is nothing more after the last result. */
function hasAll(
  { ids, atOldest, atNewest }: MessageWindow,
  { after, before }: SearchRange,
  isOldestFirst: boolean,
): boolean {
  const last = state.messages.get((isOldestFirst ? ids.at(-1) : ids[0]) ?? 0)
  if (isOldestFirst) {
    return atNewest || (before !== undefined && last !== undefined && last.timestamp >= beginningOf(before))
  }
  return atOldest || (after !== undefined && last !== undefined && last.timestamp < beginningOf(after))
}

function atLeast(count: number): number {
  return count >= 100 ? count - (count % 100) : count
}

/** One message, under the conversation in which it was written. */
function Result({ id }: { readonly id: number }) {
  watch(`message ${id}`, 'channel', 'user')
  const message = state.messages.get(id)
  if (!message) return null
  const conversation = conversationOf(message, state.me)
  const href = hrefOfConversation(conversation, id)
  const isTopic = conversation.kind === 'topic'
  const channel = isTopic ? state.channels.get(conversation.channelId) : undefined
  const color = channel?.subscription?.color
  return (
    <section class="result">
      <div class="result-head" style={color ? { '--edge': color } : {}}>
        <span class="result-place">
          {isTopic ? (
            <>
              <ChannelIcon channel={channel} />
              <a class="one-line" dir="auto" href={hrefOf(channelNarrow(conversation.channelId))}>
                {channelName(conversation.channelId)}
              </a>
              <Icon name="within" />
              <a class="one-line result-topic" dir="auto" href={hrefOfConversation(conversation)}>
                {message.match_subject ? (
                  <HtmlText html={message.match_subject} />
                ) : (
                  topicName(conversation.topic)
                )}
              </a>
            </>
          ) : (
            <>
              <Icon name={conversation.peers.length > 1 ? 'group' : 'direct'} />
              <a class="one-line result-topic" dir="auto" href={hrefOfConversation(conversation)}>
                {peerNames(conversation.peers)}
              </a>
            </>
          )}
        </span>
        <span class="soft result-day">{dayName(message.timestamp)}</span>
        <span class="soft result-day-short">{shortTime(message.timestamp)}</span>
        <a class="result-context" href={href}>
          {r.search.inContext}
        </a>
      </div>
      <MessageRow id={id} begins isTarget={false} isFound />
    </section>
  )
}

/** Enter on a result leads to where it was written. */
function openChosen(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.target as Element).matches('.message')) return
  event.preventDefault()
  const card = (event.target as Element).closest('.result')
  card?.querySelector<HTMLElement>('.result-context')?.click()
}

/** Lets the keys of lists go through the results. */
function useKeys(view: { readonly current: HTMLDivElement | null }): void {
  useEffect(() => {
    const cards = () => [...(view.current?.querySelectorAll('.result') ?? [])]
    const choose = (index: number) => {
      const all = cards()
      const card = all[Math.max(0, Math.min(index, all.length - 1))]
      const target =
        card?.querySelector<HTMLElement>('.message') ?? card?.querySelector<HTMLElement>('.result-topic')
      target?.focus({ preventScroll: true })
      card?.scrollIntoView({ block: 'nearest' })
    }
    const chosen = () => {
      const focused = document.activeElement?.closest('.result')
      const card = focused ?? rowElement(selectedId.value ?? 0)?.closest('.result')
      return card ? cards().indexOf(card) : -1
    }
    const list: ShownList = {
      moveBy: (by) => choose(chosen() === -1 && by > 0 && by < Number.POSITIVE_INFINITY ? 0 : chosen() + by),
      scrollPages: (pages) => view.current?.scrollBy({ top: pages * view.current.clientHeight * 0.85 }),
      toEnd: () => choose(Number.POSITIVE_INFINITY),
      focus: () => choose(0),
    }
    shownList.current = list
    return () => {
      if (shownList.current === list) shownList.current = undefined
    }
  }, [])
}
