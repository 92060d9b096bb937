import './message-dialogs.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../../actions/call.ts'
import { type MoveExtent, move, newestOf, sourceOf } from '../../actions/changing-messages.ts'
import { historyOf, readersOf, remind, report } from '../../actions/message-changes.ts'
import { untilMoved } from '../../actions/session.ts'
import { state, watch } from '../../chat.ts'
import { goToConversation } from '../../navigation.ts'
import { subscribedChannels } from '../../state/channels.ts'
import type { Channel } from '../../state/chat-state.ts'
import { mayMoveToChannel, mayMoveToTopic } from '../../state/message-permissions.ts'
import { isMutedPerson, withoutMuted } from '../../state/muted-people.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { comingTime } from '../../ui/coming-time.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading } from '../../ui/empty.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Time, timeOfDay } from '../../ui/time.tsx'
import { TimeField } from '../../ui/time-field.tsx'
import { announce } from '../announcement.tsx'
import { ChoiceField, topicChoices } from '../compose/choice-field.tsx'
import { topicNeedOf, topicTyped, useTopics } from '../compose/topics-of-channel.ts'
import { EmojiGlyph } from '../emoji/emoji-glyph.tsx'
import { likelyTimes } from '../likely-times.ts'
import { now } from '../preferences.ts'
import { FetchedList, FetchFailed, useFetched } from '../settings/fetched.tsx'
import { useAction } from '../use-action.tsx'
import { channelName, conversationName, topicName, userName } from '../words.ts'
import { HtmlText } from './html-text.tsx'
import { kindsOf } from './reactions.tsx'
import type { MessageDialogKind } from './surface.ts'
import { readPoll } from './widget-data.ts'

const Forward = onDemand(async () => {
  const { Forward: forward, loadFrameTexts } = await import('./forward.tsx')
  await loadFrameTexts()
  return forward
})

interface DialogOfMessage {
  readonly messageId: number
  readonly onClose: () => void
}

export function MessageDialog({ kind, ...props }: DialogOfMessage & { readonly kind: MessageDialogKind }) {
  watch(`message ${props.messageId}`)
  const isGone = !state.messages.has(props.messageId)
  useEffect(() => {
    if (isGone) props.onClose()
  }, [isGone])
  // The message has been deleted meanwhile.
  if (isGone) return null
  switch (kind) {
    case 'history':
      return <History {...props} />
    case 'source':
      return <Source {...props} />
    case 'reactions':
      return <WhoReacted {...props} />
    case 'votes':
      return <WhoVoted {...props} />
    case 'readers':
      return <Readers {...props} />
    case 'move':
      return <Move {...props} />
    case 'forward':
      return <Forward {...props} />
    case 'remind':
      return <Remind {...props} />
    case 'report':
      return <Report {...props} />
  }
}

function History({ messageId, onClose }: DialogOfMessage) {
  const history = useFetched(async () => (await historyOf(messageId)).toReversed())
  return (
    <Dialog title={t.message.history} wide onClose={onClose}>
      <FetchedList of={history} nothing="">
        {(entries) =>
          entries.map((entry, index) => (
            <section key={entry.timestamp + index} class="history-entry">
              <p class="small soft">
                {entry.user_id === null ? '' : userName(entry.user_id)} ·{' '}
                <Time seconds={entry.timestamp} long /> {timeOfDay(entry.timestamp)}
              </p>
              {entry.prev_stream !== undefined && (
                <p>
                  {t.message.movedFrom({
                    before: `#${channelName(entry.prev_stream)}`,
                    after: `#${channelName(entry.stream ?? 0)}`,
                  })}
                </p>
              )}
              {entry.prev_topic !== undefined && (
                <p>
                  {t.message.movedFrom({
                    before: topicName(entry.prev_topic),
                    after: topicName(entry.topic ?? ''),
                  })}
                </p>
              )}
              {(entry.prev_content !== undefined || index === entries.length - 1) &&
                entry.rendered_content && (
                  <HtmlText html={entry.content_html_diff ?? entry.rendered_content} />
                )}
            </section>
          ))
        }
      </FetchedList>
    </Dialog>
  )
}

/** The text as Markdown. */
function Source({ messageId, onClose }: DialogOfMessage) {
  const fetched = useFetched(() => sourceOf(messageId))
  const { value: source, refusal } = fetched
  return (
    <Dialog title={t.message.source} wide onClose={onClose}>
      {refusal !== undefined && <FetchFailed of={fetched} />}
      {source === undefined && refusal === undefined && <Loading label={t.loading} />}
      {source !== undefined && (
        <>
          <textarea
            class="field message-source"
            readOnly
            dir="auto"
            value={source}
            aria-label={t.message.source}
          />
          <div class="dialog-buttons">
            <Button
              onClick={async () => {
                await navigator.clipboard.writeText(source)
                announce(t.message.copied)
              }}
            >
              {t.message.copyText}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}

function Readers({ messageId, onClose }: DialogOfMessage) {
  const readers = useFetched(async () =>
    (await readersOf(messageId)).filter((id) => !isMutedPerson(state, id)),
  )
  const count = readers.value?.length ?? 0
  return (
    <Dialog title={count > 0 ? t.message.readersCount(count) : t.message.readers} isRead onClose={onClose}>
      <FetchedList of={readers} nothing={t.message.readByNobody}>
        {(ids) => <PeopleNamed ids={ids} />}
      </FetchedList>
    </Dialog>
  )
}

function WhoReacted({ messageId, onClose }: DialogOfMessage) {
  const reactions = withoutMuted(state, state.messages.get(messageId)?.reactions ?? [])
  const isGone = reactions.length === 0
  useEffect(() => {
    if (isGone) onClose()
  }, [isGone])
  return (
    <Dialog title={t.message.reactions} isRead onClose={onClose}>
      {kindsOf(reactions).map((kind) => {
        const [first] = kind
        return (
          <section key={`${first!.reaction_type} ${first!.emoji_code}`} class="who-reacted">
            <h3>
              <EmojiGlyph emoji={first!} />
              <span class="one-line" dir="ltr">
                :{first!.emoji_name}:
              </span>
              <span class="soft">{kind.length}</span>
            </h3>
            <PeopleNamed ids={kind.map(({ user_id }) => user_id)} />
          </section>
        )
      })}
    </Dialog>
  )
}

function WhoVoted({ messageId, onClose }: DialogOfMessage) {
  const poll = readPoll(state.messages.get(messageId)?.submessages ?? [], (id) => isMutedPerson(state, id))
  return (
    <Dialog title={poll?.question || t.widget.poll} isRead onClose={onClose}>
      {poll?.options
        .filter(({ voters }) => voters.length > 0)
        .map(({ key, text, voters }) => (
          <section key={key} class="who-reacted">
            <h3>
              <span dir="auto">{text}</span>
              <span class="soft">{voters.length}</span>
            </h3>
            <PeopleNamed ids={voters} />
          </section>
        ))}
    </Dialog>
  )
}

function PeopleNamed({ ids }: { readonly ids: readonly number[] }) {
  return (
    <ul>
      {ids.map((id) => (
        <li key={id} class="reader">
          <Avatar url={state.users.get(id)?.avatar_url} name={userName(id)} size={24} />
          <bdi>{userName(id)}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** Returns the user's channels, and the one where the message is, which the user may only be looking at. */
function channelsToMoveTo(from: number): Channel[] {
  const here = state.channels.get(from)
  const own = subscribedChannels(state).filter((one) => !one.is_archived && one !== here)
  return [...own, ...(here ? [here] : [])].sort((a, b) => a.name.localeCompare(b.name))
}

const EXTENTS: readonly MoveExtent[] = ['change_one', 'change_later', 'change_all']

function Move({ messageId, onClose }: DialogOfMessage) {
  watch(`message ${messageId}`, 'channel', 'me', 'group', 'organization')
  // The dialog of a deleted message closes in a moment.
  const latest = useRef(state.messages.get(messageId)!)
  latest.current = state.messages.get(messageId) ?? latest.current
  const message = latest.current
  const [channelId, setChannelId] = useState(message.stream_id!)
  const [typed, setTyped] = useState(message.subject)
  const [extent, setExtent] = useState<MoveExtent>('change_later')
  const form = useRef<HTMLFormElement>(null)
  useTopics(channelId)
  const { required, isFixed, placeholder } = topicNeedOf(channelId)
  const topic = isFixed ? '' : topicTyped(typed)
  const { run, refusal, isBusy } = useAction(() => {
    onClose()
    goToConversation({ kind: 'topic', channelId, topic }, messageId)
  })
  const mayTopic = mayMoveToTopic(state, message, now.value)
  const mayChannel = mayMoveToChannel(state, message, now.value)
  const isSame = channelId === message.stream_id && topic === message.subject
  return (
    <Dialog title={t.message.move} onClose={onClose}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void run(async () => {
            // Among messages that were there before, nothing says afterwards which have come.
            const mayReturn = extent === 'change_one' || (await newestOf(channelId, topic)) === undefined
            const before = { ...message }
            const { stream_id: from, subject } = before
            await move(messageId, { topic, extent, ...(channelId === from ? {} : { channelId }) })
            // Until then the new address would lead back to where the message was.
            await untilMoved(before)
            const goBack = () =>
              move(messageId, { topic: subject, extent, ...(channelId === from ? {} : { channelId: from! }) })
            const where = conversationName({ kind: 'topic', channelId, topic })
            announce(t.done.moved(where), mayReturn ? goBack : undefined)
          })
        }}
      >
        {refusal}
        <label class="labelled">
          <span>{t.message.channel}</span>
          <select
            class="field"
            disabled={!mayChannel}
            value={channelId}
            onChange={(event) => setChannelId(Number(event.currentTarget.value))}
          >
            {channelsToMoveTo(message.stream_id!).map(({ stream_id, name }) => (
              <option key={stream_id} value={stream_id} dir="auto">
                #{name}
              </option>
            ))}
          </select>
        </label>
        <div class="labelled">
          <span aria-hidden="true">{t.message.topic}</span>
          <ChoiceField
            id="move-topic"
            label={t.message.topic}
            class="topic-field"
            value={isFixed ? '' : typed}
            placeholder={placeholder}
            required={required}
            disabled={isFixed || (!mayTopic && channelId === message.stream_id)}
            maxLength={state.server.max_topic_length}
            choices={(words) => topicChoices(channelId, words)}
            onType={setTyped}
            onTake={setTyped}
            onEnter={() => form.current?.requestSubmit()}
          />
        </div>
        <fieldset class="choices">
          <legend class="small soft">{t.message.moveWhat}</legend>
          {EXTENTS.map((one) => (
            <label key={one} class="check">
              <input type="radio" name="extent" checked={extent === one} onChange={() => setExtent(one)} />
              {t.message.extents[one]}
            </label>
          ))}
        </fieldset>
        <div class="dialog-buttons">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="main" type="submit" disabled={isBusy || isSame}>
            {t.message.moveNow}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Remind({ messageId, onClose }: DialogOfMessage) {
  const [note, setNote] = useState('')
  const [at, setAt] = useState<number>()
  const { run, refusal, isBusy } = useAction(onClose)
  const remindAt = (at: number) =>
    run(async () => {
      const id = await remind(messageId, at, note)
      announce(t.compose.remindsAt(comingTime(at)), () => call('DELETE', `/reminders/${id}`), '#reminders')
    })
  return (
    <Dialog title={t.message.remind} onClose={onClose}>
      {refusal}
      <label class="labelled">
        <span>{t.optional(t.message.note)}</span>
        <input
          class="field"
          value={note}
          maxLength={state.server.max_reminder_note_length}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      <div class="remind-times">
        {likelyTimes().map(({ name, at }) => (
          <Button key={name} disabled={isBusy} onClick={() => remindAt(at)}>
            {name}
          </Button>
        ))}
        {at === undefined && <Button onClick={() => setAt(likelyTimes()[2]!.at)}>{t.times.another}</Button>}
      </div>
      {at !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void remindAt(at)
          }}
        >
          <TimeField label={t.times.when} value={at} isFocused onChange={setAt} />
          <div class="dialog-buttons">
            <Button type="submit" kind="main" disabled={isBusy}>
              {t.message.remind}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

const REASONS = ['spam', 'harassment', 'inappropriate', 'norms', 'other'] as const

function Report({ messageId, onClose }: DialogOfMessage) {
  const [reason, setReason] = useState<(typeof REASONS)[number]>('spam')
  const [text, setText] = useState('')
  const isNoteNeeded = reason === 'other'
  const { run, refusal, isBusy } = useAction(() => {
    onClose()
    announce(t.message.reported)
  })
  return (
    <Dialog title={t.message.report} onClose={onClose}>
      {refusal}
      <p>{t.message.reportAbout}</p>
      <fieldset class="choices">
        <legend class="small soft">{t.message.reason}</legend>
        {REASONS.map((one) => (
          <label key={one} class="check">
            <input type="radio" name="reason" checked={reason === one} onChange={() => setReason(one)} />
            {t.message.reasons[one]}
          </label>
        ))}
      </fieldset>
      <label class="labelled">
        <span>{isNoteNeeded ? t.message.note : t.optional(t.message.note)}</span>
        <textarea
          class="field"
          value={text}
          maxLength={1_000}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div class="dialog-buttons">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button
          kind="main"
          disabled={isBusy || (isNoteNeeded && text.trim() === '')}
          onClick={() => run(() => report(messageId, reason, text))}
        >
          {t.message.report}
        </Button>
      </div>
    </Dialog>
  )
}
