import './compose.css'
import { useEffect, useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { mayBeginTopics, mayPost, mayWriteInTopic } from '../../state/channel-permissions.ts'
import { type Conversation, conversationKey } from '../../state/conversation.ts'
import { mayWriteTo } from '../../state/message-permissions.ts'
import { COMBINED_FEED, channelOfNarrow, conversationOfNarrow, type Narrow } from '../../state/narrow.ts'
import { typingIn } from '../../state/typing.ts'
import { listed, t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { onDemand, whenIdle } from '../../ui/on-demand.tsx'
import { userName } from '../words.ts'
import { composeToChannel, composeToPeople, isNewMessageOpen, target, text } from './compose-state.ts'
import { useTopics } from './topics-of-channel.ts'

const Box = onDemand(async () => {
  // The messages come first.
  await whenIdle()
  const { Box: box, loadComposeTexts } = await import('./box.tsx')
  await loadComposeTexts()
  return box
})
const Recipients = onDemand(() => import('./recipients.tsx').then(({ Recipients: fields }) => fields))

/** Loads the parts of the box before a key needs them, since the keys after it are for them. */
function usePreload(): void {
  useEffect(() => {
    Box.preload()
    Recipients.preload()
  }, [])
}

/** The box for a new message, in a view without a box. */
export function NewMessage() {
  usePreload()
  return isNewMessageOpen.value && target.value ? <Compose narrow={COMBINED_FEED} /> : null
}

/** The box for writing. In a conversation it writes there; elsewhere the user chooses a destination. */
export function Compose({ narrow }: { readonly narrow: Narrow }) {
  watch('channel', 'organization', 'me', 'group', 'recent')
  usePreload()
  const here = conversationOfNarrow(narrow)
  const to = target.value
  const channel = to?.kind === 'topic' ? state.channels.get(to.channelId) : undefined
  // The existing topics show whether one would be new.
  useTopics(channel && !mayBeginTopics(state, channel) ? channel.stream_id : undefined)
  if (!to) {
    return (
      <section class="compose compose-closed" aria-label={t.compose.label}>
        <Button onClick={composeToChannel}>{t.compose.toChannel}</Button>
        <Button onClick={composeToPeople}>{t.compose.toPeople}</Button>
      </section>
    )
  }
  // The list says that there is no such channel: what was written for it stays.
  const shownChannel = channelOfNarrow(narrow)
  if (shownChannel !== undefined && !state.channels.has(shownChannel)) {
    return text.value === '' ? null : (
      <section class="compose" aria-label={t.compose.label}>
        <div class="compose-inner">
          <Kept />
        </div>
      </section>
    )
  }
  const refusal = whyNot(to)
  return (
    <section class="compose" aria-label={t.compose.label}>
      <div class="compose-inner">
        <Typing conversation={to} />
        {(!here || conversationKey(here) !== conversationKey(to)) && <Recipients to={to} narrow={narrow} />}
        {refusal ? (
          <Refused why={refusal} />
        ) : (
          // A placeholder of the height of a box with one line, until the box has loaded.
          <div class="compose-place">
            <Box to={to} narrow={narrow} />
          </div>
        )}
      </div>
    </section>
  )
}

/** Says why nothing can be sent there; the draft stays. */
function Refused({ why }: { readonly why: string }) {
  return (
    <>
      <p class="compose-refusal">{why}</p>
      {text.value !== '' && <Kept />}
    </>
  )
}

/** What was written and cannot be sent, to be read and copied. */
function Kept() {
  return (
    <textarea
      class="field compose-kept"
      rows={Math.min(6, text.value.split('\n').length)}
      dir="auto"
      readOnly
      value={text.value}
      aria-label={t.compose.kept}
    />
  )
}

function whyNot(to: Conversation): string | undefined {
  if (to.kind === 'topic') {
    const channel = state.channels.get(to.channelId)
    if (!channel) return t.compose.unknownChannel
    if (channel.is_archived) return t.compose.archived
    if (!mayPost(state, channel)) return t.compose.mayNotPost
    return mayWriteInTopic(state, channel, to.topic) ? undefined : t.compose.mayNotBeginTopics
  }
  const hasMessages = state.recent.has(conversationKey(to))
  return to.peers.length === 0 || mayWriteTo(state, to.peers, { hasMessages })
    ? undefined
    : t.compose.mayNotWrite
}

/** The line that says who else is writing: always there, so that nothing moves. */
function Typing({ conversation }: { readonly conversation: Conversation }) {
  watch('typing')
  const [, tick] = useState(0)
  const people = typingIn(state, conversation, Date.now())
  useEffect(() => {
    if (people.length === 0) return
    const timer = setTimeout(() => tick((count) => count + 1), 2_000)
    return () => clearTimeout(timer)
  })
  return (
    <p class="typing" aria-live="off">
      {people.length === 0
        ? ''
        : people.length > 3
          ? t.compose.severalType
          : t.compose.type({ names: listed(people.map(userName)), count: people.length })}
    </p>
  )
}
