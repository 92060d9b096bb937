import './recipients.css'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { state } from '../../chat.ts'
import { mayPost } from '../../state/channel-permissions.ts'
import { completeChannels } from '../../state/completion.ts'
import type { Conversation } from '../../state/conversation.ts'
import { conversationOfNarrow, type Narrow } from '../../state/narrow.ts'
import { TOPIC_POLICY, topicPolicy, topicsOf } from '../../state/topics.ts'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { topicName } from '../words.ts'
import { ChoiceField, topicChoices } from './choice-field.tsx'
import type { Choice } from './completion-list.ts'
import { focusWanted, isUnnamedChosen, writeTo } from './compose-state.ts'
import { PeopleField } from './people-field.tsx'
import { lacksTopic, topicNeedOf, useTopics } from './topics-of-channel.ts'

/** The destination of a message, in a view that is not a conversation. */
export function Recipients({ to, narrow }: { readonly to: Conversation; readonly narrow: Narrow }) {
  return (
    <div class="compose-to">
      {/* Stands last, so that Tab leads from the fields to the text. */}
      <IconButton
        icon="close"
        label={t.cancel}
        onClick={() => {
          writeTo(conversationOfNarrow(narrow))
        }}
      />
      {to.kind === 'direct' ? (
        <PeopleField peers={to.peers} onChange={(peers) => writeTo({ kind: 'direct', peers })} />
      ) : (
        <ChannelAndTopic to={to} />
      )}
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
  const need = topicNeedOf(to.channelId)
  const channels = (typed: string): Choice[] =>
    completeChannels(state, typed, SHOWN * 4)
      .filter((one) => one.subscription !== undefined && mayPost(state, one))
      .slice(0, SHOWN)
      .map(({ stream_id, name, description }) => ({
        key: String(stream_id),
        label: `#${name}`,
        note: description,
        text: String(stream_id),
      }))
  const take = (topic: string) => {
    writeTo({ ...to, topic })
    isUnnamedChosen.value = topic === ''
    focusWanted.value = { at: 'text' }
  }
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
        placeholder={need.isFixed || isUnnamedChosen.value ? need.placeholder : t.compose.topic}
        maxLength={state.server.max_topic_length}
        value={to.topic}
        choices={(typed) => topicChoices(to.channelId, typed)}
        onType={(topic) => writeTo({ ...to, topic })}
        onTake={take}
        onEnter={() => {
          focusWanted.value = { at: 'text' }
        }}
      />
      {lacksTopic(to) && <NewestTopics channelId={to.channelId} onTake={take} />}
    </>
  )
}

const CHIPS = 4

interface NewestTopicsProps {
  readonly channelId: number
  readonly onTake: (topic: string) => void
}

/** The newest topics, for a message that has none yet, and the topic without a name, which must be chosen to be meant. */
function NewestTopics({ channelId, onTake }: NewestTopicsProps) {
  const newest = topicsOf(state, channelId)
    .map(({ name }) => name)
    .filter((name) => name !== '' && topicPolicy(state, channelId, name) !== TOPIC_POLICY.muted)
  const names = [...newest.slice(0, CHIPS), ...(topicNeedOf(channelId).required ? [] : [''])]
  return (
    <div class="topic-chips">
      {names.map((name) => (
        <button key={name} type="button" class="topic-chip one-line" dir="auto" onClick={() => onTake(name)}>
          {topicName(name)}
        </button>
      ))}
    </div>
  )
}
