import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { state } from '../../chat.ts'
import { completeChannels, completeTopics } from '../../state/completion.ts'
import type { Conversation } from '../../state/conversation.ts'
import { conversationOfNarrow, type Narrow } from '../../state/narrow.ts'
import { mayPost, topicsPolicyOf } from '../../state/permissions.ts'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { topicName } from '../words.ts'
import type { Choice } from './completion-list.ts'
import { CompletionList, NONE, nextOf } from './completions.tsx'
import { focusWanted, writeTo } from './compose-state.ts'
import { PeopleField } from './people-field.tsx'
import { useTopics } from './topics-of-channel.ts'

/** Where a message goes, in a view that is no conversation. */
export function Recipients({ to, narrow }: { readonly to: Conversation; readonly narrow: Narrow }) {
  return (
    <div class="compose-to">
      {to.kind === 'direct' ? (
        <PeopleField peers={to.peers} onChange={(peers) => writeTo({ kind: 'direct', peers })} />
      ) : (
        <ChannelAndTopic to={to} />
      )}
      <IconButton
        icon="close"
        label={t.cancel}
        onClick={() => {
          writeTo(conversationOfNarrow(narrow))
        }}
      />
    </div>
  )
}

const SHOWN = 8

function ChannelAndTopic({ to }: { readonly to: Extract<Conversation, { kind: 'topic' }> }) {
  const topicField = useRef<HTMLInputElement>(null)
  const wanted = focusWanted.value
  useLayoutEffect(() => {
    if (wanted?.at !== 'topic' || !topicField.current) return
    topicField.current.focus()
    focusWanted.value = undefined
  }, [wanted])
  useTopics(to.channelId)
  const channel = state.channels.get(to.channelId)
  const allowsNoTopic = channel && topicsPolicyOf(state, channel) !== 'disable_empty_topic'
  const channels = (typed: string): Choice[] =>
    completeChannels(state, typed, SHOWN * 4)
      .filter((one) => one.subscription !== undefined && mayPost(state, one))
      .slice(0, SHOWN)
      .map(({ stream_id, name, description }) => ({
        key: String(stream_id),
        label: `#${name}`,
        note: description,
        glyph: '',
        text: String(stream_id),
      }))
  const topics = (typed: string): Choice[] =>
    completeTopics(state, to.channelId, typed, SHOWN).map((name) => ({
      key: name,
      label: topicName(name),
      note: '',
      glyph: '',
      text: name,
    }))
  return (
    <>
      <ChoiceField
        id="channel-choice"
        class="compose-channel"
        label={t.message.channel}
        value={channel ? `#${channel.name}` : ''}
        choices={channels}
        isStrict
        onTake={(id) => {
          writeTo({ ...to, channelId: Number(id) })
          focusWanted.value = { at: 'topic' }
        }}
      />
      <ChoiceField
        id="topic-choice"
        field={topicField}
        label={t.message.topic}
        placeholder={
          allowsNoTopic
            ? t.compose.topicOptional(state.organization.empty_topic_display_name)
            : t.compose.topic
        }
        maxLength={state.server.max_topic_length}
        value={to.topic}
        choices={topics}
        onType={(topic) => writeTo({ ...to, topic })}
        onTake={(topic) => {
          writeTo({ ...to, topic })
          focusWanted.value = { at: 'text' }
        }}
        onEnter={() => {
          focusWanted.value = { at: 'text' }
        }}
      />
    </>
  )
}

interface ChoiceFieldProps {
  readonly id: string
  readonly class?: string
  readonly field?: { current: HTMLInputElement | null }
  readonly label: string
  readonly placeholder?: string | undefined
  readonly maxLength?: number
  readonly value: string
  /** Whether only a choice counts, and not what is typed. */
  readonly isStrict?: boolean
  readonly choices: (typed: string) => Choice[]
  readonly onType?: (value: string) => void
  readonly onTake: (value: string) => void
  readonly onEnter?: () => void
}

/** A field with the page's own suggestions. Without a suggestion taken by an arrow or a click, what is typed counts. */
function ChoiceField(props: ChoiceFieldProps) {
  const { id, value, isStrict = false, onType, onTake, onEnter } = props
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState(NONE)
  const isOpen = typed !== undefined
  const query = isOpen ? (typed.startsWith('#') && isStrict ? typed.slice(1) : typed) : ''
  const found = isOpen ? props.choices(query) : []
  // The only suggestion that says no more than what is typed.
  const choices = found.length === 1 && found[0]!.text === query ? [] : found
  const close = () => {
    setTyped(undefined)
    setChosen(NONE)
  }
  const take = (index: number) => {
    const choice = choices[index]
    if (!choice) return
    close()
    onTake(choice.text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    if (isArrow && !isOpen) {
      event.preventDefault()
      setTyped(isStrict ? '' : value)
    } else if (isArrow && choices.length > 0) {
      event.preventDefault()
      setChosen(nextOf(chosen, choices.length, event.key === 'ArrowDown'))
    } else if (
      event.key === 'Enter' ||
      (event.key === 'Tab' && isOpen && chosen !== NONE && !event.shiftKey)
    ) {
      event.preventDefault()
      if (isOpen && chosen !== NONE) take(chosen)
      else if (isStrict) take(0)
      else {
        close()
        onEnter?.()
      }
    } else if (event.key === 'Escape' && choices.length > 0) {
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }
  const first = isStrict && query !== '' && chosen === NONE ? 0 : chosen
  return (
    <div class={`choice-field ${props.class ?? ''}`}>
      <input
        ref={props.field}
        class="field"
        role="combobox"
        autocomplete="off"
        aria-label={props.label}
        aria-expanded={choices.length > 0}
        aria-controls={`${id}s`}
        aria-autocomplete="list"
        aria-activedescendant={choices.length > 0 && first !== NONE ? `${id}-${first}` : undefined}
        placeholder={props.placeholder}
        maxLength={props.maxLength}
        value={isStrict && isOpen ? typed : value}
        onFocus={(event) => isStrict && event.currentTarget.select()}
        onClick={() => !isOpen && setTyped(isStrict ? '' : value)}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setChosen(NONE)
          onType?.(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {choices.length > 0 && <CompletionList id={id} completion={{ choices }} chosen={first} onTake={take} />}
    </div>
  )
}
