import './pins-bar.css'
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../actions/call.ts'
import { MESSAGE_FORM } from '../../actions/message-windows.ts'
import { type Pin, usePins } from '../../actions/pins.ts'
import { state, watch } from '../../chat.ts'
import { hrefOf, hrefOfConversation } from '../../navigation.ts'
import { mayPin } from '../../state/channel-permissions.ts'
import { conversationOf, topicKey } from '../../state/conversation.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import { topicNarrow } from '../../state/narrow.ts'
import type { Message } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { attempt } from '../announcement.tsx'
import { previewPartsOf } from '../inbox/preview.ts'
import { topicName, userName } from '../words.ts'
import { takeOff } from './pin-items.tsx'

/** Whether the list is open, in all channels. */
const isOpen = signal(false)

interface PinsBarProps {
  readonly channelId: number
  /** In a topic, only its own messages. */
  readonly topic: string | undefined
}

/** What is pinned in a channel, at its head: one line, which opens the list. */
export function PinsBar({ channelId, topic }: PinsBarProps) {
  watch(`channel ${channelId}`, 'me', 'group', 'organization', 'muted users', 'message')
  const pins = usePins(channelId)
  const messages = usePinned(pins)
  const shown = pins.flatMap((pin): ShownPin[] => {
    if (pin.message_id === null) return topic === undefined ? [{ pin }] : []
    const message = state.messages.get(pin.message_id) ?? messages.get(pin.message_id)
    if (!message || isMutedPerson(state, message.sender_id)) return []
    if (topic !== undefined && topicKey(message.subject) !== topicKey(topic)) return []
    return [{ pin, message }]
  })
  const [newest] = shown
  if (!newest) return null
  const channel = state.channels.get(channelId)
  const mayUnpin = channel !== undefined && mayPin(state, channel)
  return (
    <section class="pins" aria-label={t.pins.title}>
      <button
        type="button"
        class="pins-toggle"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Icon name="pin" />
        <span class="pins-count">{t.pins.count(shown.length)}</span>
        {!isOpen.value && (
          <span class="one-line" dir="auto">
            {lineOf(newest)}
          </span>
        )}
        <Icon name="fold" />
      </button>
      {isOpen.value && (
        <ul class="pins-list">
          {shown.map((one) => (
            <li key={one.pin.id}>
              <PinnedItem shown={one} channelId={channelId} isInTopic={topic !== undefined} />
              {mayUnpin && (
                <IconButton
                  icon="close"
                  label={t.pins.unpin(lineOf(one))}
                  onClick={() => attempt(takeOff({ stream_id: channelId }, one.pin))}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface ShownPin {
  readonly pin: Pin
  /** Absent for a topic. */
  readonly message?: Message
}

function PinnedItem({
  shown: { pin, message },
  channelId,
  isInTopic,
}: {
  readonly shown: ShownPin
  readonly channelId: number
  readonly isInTopic: boolean
}) {
  if (!message) {
    return (
      <a class="pins-item" href={hrefOf(topicNarrow(channelId, pin.topic!))}>
        <Icon name="within" />
        <strong class="one-line" dir="auto">
          {topicName(pin.topic!)}
        </strong>
        <span class="pins-where">{t.pins.topic}</span>
      </a>
    )
  }
  const { sender_id, avatar_url, subject } = message
  const sender = state.users.get(sender_id)
  const name = userName(sender_id)
  return (
    <a class="pins-item" href={hrefOfConversation(conversationOf(message, state.me), message.id)}>
      <Avatar url={sender?.avatar_url ?? avatar_url} name={name} size={20} />
      <strong class="one-line" dir="auto">
        {name}
      </strong>
      <span class="one-line" dir="auto">
        {previewPartsOf(message).text}
      </span>
      {!isInTopic && (
        <span class="pins-where one-line" dir="auto">
          {topicName(subject)}
        </span>
      )}
    </a>
  )
}

function lineOf({ pin, message }: ShownPin): string {
  if (!message) return topicName(pin.topic!)
  const { writer, text } = previewPartsOf(message)
  return writer + text
}

/** Fetches the pinned messages, which are mostly older than those that are loaded. */
function usePinned(pins: readonly Pin[]): ReadonlyMap<number, Message> {
  const [messages, setMessages] = useState<ReadonlyMap<number, Message>>(new Map())
  useEffect(() => {
    const ids = pins.flatMap(({ message_id }) => message_id ?? [])
    const missing = ids.filter((id) => !messages.has(id))
    if (missing.length === 0) return undefined
    let isGone = false
    call<{ messages: Message[] }>('GET', '/messages', {
      message_ids: missing,
      narrow: [],
      ...MESSAGE_FORM,
    }).then(
      (answer) => {
        if (isGone) return
        setMessages((before) => new Map([...before, ...answer.messages.map((one) => [one.id, one] as const)]))
      },
      // The pins of topics are shown, and those of messages that are loaded.
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [pins])
  return messages
}
