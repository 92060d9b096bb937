import './go-to.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { loadRecent } from '../../actions/messages.ts'
import { state, watch } from '../../chat.ts'
import { hrefOf, hrefOfConversation } from '../../navigation.ts'
import { completeChannels, completePeople, fitOf } from '../../state/completion.ts'
import { conversationKey, peersOf } from '../../state/conversation.ts'
import { channelNarrow } from '../../state/narrow.ts'
import { recentConversations } from '../../state/recent.ts'
import { t } from '../../texts/texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Count } from '../../ui/empty.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { isGoToOpen } from '../preferences.ts'
import { conversationName } from '../words.ts'

interface Destination {
  readonly key: string
  readonly icon: IconName
  readonly name: string
  readonly href: string
  readonly unread: number
}

const CONVERSATIONS = 6
const OTHERS = 4

/** Goes anywhere by the first letters of a name: recent conversations, channels, people, views. */
export function GoTo() {
  watch('recent', 'unread', 'channel', 'user')
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const destinations = destinationsFor(words.trim())
  const close = () => {
    isGoToOpen.value = false
  }
  const go = (destination: Destination | undefined) => {
    if (!destination) return
    close()
    location.hash = destination.href
  }
  // Recent conversations are loaded when somebody opens it.
  useEffect(() => {
    loadRecent().catch(() => {})
  }, [])
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && destinations.length > 0) {
      event.preventDefault()
      setChosen((chosen + step + destinations.length) % destinations.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(destinations[chosen])
    }
  }
  return (
    <Dialog title={t.goTo.title} onClose={close}>
      <div class="go-to">
        <input
          class="field"
          role="combobox"
          aria-label={t.goTo.title}
          placeholder={t.goTo.placeholder}
          aria-expanded={destinations.length > 0}
          aria-controls="go-to-choices"
          aria-autocomplete="list"
          aria-activedescendant={destinations[chosen] ? `go-to-${chosen}` : undefined}
          autocomplete="off"
          spellcheck={false}
          value={words}
          onInput={(event) => {
            setWords(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
        <div class="go-to-choices">
          {destinations.length === 0 && <p class="soft">{t.goTo.nothing}</p>}
          <div
            ref={list}
            id="go-to-choices"
            role="listbox"
            aria-label={t.search.choices}
            hidden={destinations.length === 0}
          >
            {destinations.map((destination, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the box has the focus and names the chosen one
              // biome-ignore lint/a11y/useKeyWithClickEvents: the box takes the keys
              <div
                key={destination.key}
                id={`go-to-${index}`}
                class="completion"
                role="option"
                aria-selected={index === chosen}
                onClick={() => go(destination)}
              >
                <Icon name={destination.icon} />
                <span class="one-line">{destination.name}</span>
                <Count count={destination.unread} label={t.unread(destination.unread)} />
              </div>
            ))}
          </div>
        </div>
      </div>
    </Dialog>
  )
}

function destinationsFor(words: string): Destination[] {
  const fits = (name: string) => words === '' || fitOf(name, words) !== undefined
  const conversations = recentConversations(state)
    .map(({ conversation }): Destination => {
      const key = conversationKey(conversation)
      const isGroup = conversation.kind === 'direct' && conversation.peers.length > 1
      return {
        key,
        icon: conversation.kind === 'topic' ? 'hash' : isGroup ? 'group' : 'direct',
        name: conversationName(conversation),
        href: hrefOfConversation(conversation),
        unread: state.unread.conversations.get(key)?.ids.size ?? 0,
      }
    })
    .filter(({ name }) => fits(name))
  const known = new Set(conversations.map(({ href }) => href))
  const channels = completeChannels(state, words, OTHERS).map(
    ({ stream_id, name, invite_only }): Destination => ({
      key: `channel ${stream_id}`,
      icon: invite_only ? 'lock' : 'hash',
      name: `#${name}`,
      href: hrefOf(channelNarrow(stream_id)),
      unread: 0,
    }),
  )
  const people = (words === '' ? [] : completePeople(state, words, { limit: OTHERS })).map(
    ({ user_id, full_name }): Destination => ({
      key: `user ${user_id}`,
      icon: 'person',
      name: full_name,
      href: hrefOfConversation({ kind: 'direct', peers: peersOf([user_id], state.me) }),
      unread: 0,
    }),
  )
  const views = VIEWS.map(
    ([view, icon, href]): Destination => ({ key: view, icon, name: t.views[view], href, unread: 0 }),
  ).filter(({ name }) => words !== '' && fits(name))
  if (words === '') return [...conversations.slice(0, CONVERSATIONS + OTHERS), ...channels]
  // People whose name is typed come before recent conversations; whatever begins with the words comes first
  // of all.
  return [
    ...views,
    ...channels,
    ...people.filter(({ href }) => !known.has(href)),
    ...conversations.slice(0, CONVERSATIONS),
  ].sort((a, b) => fitOfDestination(a, words) - fitOfDestination(b, words))
}

function fitOfDestination({ name }: Destination, words: string): number {
  return fitOf(name.replace(/^#/, ''), words) ?? Number.POSITIVE_INFINITY
}

const VIEWS = [
  ['inbox', 'inbox', '#inbox'],
  ['recent', 'recent', '#recent'],
  ['feed', 'feed', '#feed'],
  ['mentions', 'at', '#narrow/is/mentioned'],
  ['starred', 'star', '#narrow/is/starred'],
  ['drafts', 'draft', '#drafts'],
  ['people', 'people', '#people'],
  ['settings', 'gear', '#settings'],
  ['help', 'keyboard', '#help'],
] as const
