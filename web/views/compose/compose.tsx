import './compose.css'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { runCommand } from '../../actions/commands.ts'
import { loadTopics, noteTyping, preview, schedule, send } from '../../actions/messages.ts'
import { keepUnsent } from '../../actions/session.ts'
import { state, watch } from '../../chat.ts'
import { goToConversation, hrefOfConversation } from '../../navigation.ts'
import { subscribedChannels } from '../../state/channels.ts'
import { isCarriedOut } from '../../state/commands.ts'
import { completeTopics } from '../../state/completion.ts'
import { type Conversation, conversationKey } from '../../state/conversation.ts'
import { COMBINED_FEED, conversationOfNarrow, type Narrow } from '../../state/narrow.ts'
import {
  mayBeginTopics,
  mayPost,
  mayWriteInTopic,
  mayWriteTo,
  topicsPolicyOf,
} from '../../state/permissions.ts'
import { typingIn } from '../../state/typing.ts'
import { listed, t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { wholeTime } from '../../ui/time.tsx'
import { tip } from '../../ui/tooltip.ts'
import { announce, attempt } from '../announcement.tsx'
import { ownLastMessage, shownList } from '../conversation/selection.ts'
import { loadEmoji } from '../emoji/emoji-data.ts'
import { likelyTimes } from '../likely-times.ts'
import { editedId } from '../message/edit-box.tsx'
import { HtmlText } from '../message/html-text.tsx'
import { openEmojiPicker } from '../message/surfaces.tsx'
import { settings } from '../preferences.ts'
import { conversationName, userName } from '../words.ts'
import { attach, uploads, useDrops } from './attachments.ts'
import { type Completion, completionsFor } from './completion-list.ts'
import {
  composeToChannel,
  composeToPeople,
  cursor,
  empty,
  focusWanted,
  insert,
  isNewMessageOpen,
  target,
  text,
  write,
  writeTo,
} from './compose-state.ts'
import { takePaste } from './paste.ts'
import { PeopleField } from './people-field.tsx'

const SnippetMenu = onDemand(() => import('./snippet-menu.tsx').then(({ SnippetMenu: menu }) => menu))
const ScheduledDialog = onDemand(() =>
  import('./scheduled-dialog.tsx').then(({ ScheduledDialog: dialog }) => dialog),
)

/** The box for a new message, in a view that has none of its own. */
export function NewMessage() {
  return isNewMessageOpen.value && target.value ? <Compose narrow={COMBINED_FEED} /> : null
}

/** The box for writing. In a conversation it writes there; elsewhere the user chooses a destination. */
export function Compose({ narrow }: { readonly narrow: Narrow }) {
  watch('channel', 'organization', 'me', 'group', 'recent')
  const here = conversationOfNarrow(narrow)
  const to = target.value
  const channel = to?.kind === 'topic' ? state.channels.get(to.channelId) : undefined
  // Which topics there are says whether one would be new.
  useTopics(channel && !mayBeginTopics(state, channel) ? channel.stream_id : undefined)
  if (!to) {
    return (
      <section class="compose compose-closed" aria-label={t.compose.label}>
        <Button onClick={composeToChannel}>{t.compose.toChannel}</Button>
        <Button onClick={composeToPeople}>{t.compose.toPeople}</Button>
      </section>
    )
  }
  const refusal = whyNot(to)
  return (
    <section class="compose" aria-label={t.compose.label}>
      <div class="compose-inner">
        <Typing conversation={to} />
        {(!here || conversationKey(here) !== conversationKey(to)) && <Recipients to={to} narrow={narrow} />}
        {refusal ? <Refused why={refusal} /> : <Box to={to} narrow={narrow} />}
      </div>
    </section>
  )
}

/** Loads the topics of a channel where they are not known. */
function useTopics(channelId: number | undefined): void {
  watch(`topics of channel ${channelId ?? 0}`)
  useEffect(() => {
    if (channelId !== undefined && !state.topics.get(channelId)?.isComplete)
      loadTopics(channelId).catch(() => {})
  }, [channelId])
}

/** Says why nothing can be sent there; what has been written stays, to be read and copied. */
function Refused({ why }: { readonly why: string }) {
  const content = text.value
  return (
    <>
      <p class="compose-refusal">{why}</p>
      {content !== '' && (
        <textarea
          class="field compose-kept"
          rows={Math.min(6, content.split('\n').length)}
          dir="auto"
          readOnly
          value={content}
          aria-label={t.compose.kept}
        />
      )}
    </>
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
          : t.compose.type(listed(people.map(userName)), people.length)}
    </p>
  )
}

function Recipients({ to, narrow }: { readonly to: Conversation; readonly narrow: Narrow }) {
  const topicField = useRef<HTMLInputElement>(null)
  const wanted = focusWanted.value
  useLayoutEffect(() => {
    if (wanted?.at !== 'topic' || !topicField.current) return
    topicField.current.focus()
    focusWanted.value = undefined
  }, [wanted])
  useTopics(to.kind === 'topic' ? to.channelId : undefined)
  if (to.kind === 'direct') {
    return (
      <div class="compose-to">
        <PeopleField peers={to.peers} onChange={(peers) => writeTo({ kind: 'direct', peers })} />
        <Cancel narrow={narrow} />
      </div>
    )
  }
  const channel = state.channels.get(to.channelId)
  const channels = subscribedChannels(state)
    .filter((one) => !one.is_archived)
    .sort((a, b) => a.name.localeCompare(b.name))
  const allowsNoTopic = channel && topicsPolicyOf(state, channel) !== 'disable_empty_topic'
  return (
    <div class="compose-to">
      <select
        class="field compose-channel"
        aria-label={t.message.channel}
        value={to.channelId}
        onChange={(event) => writeTo({ ...to, channelId: Number(event.currentTarget.value) })}
      >
        {channels.map(({ stream_id, name }) => (
          <option key={stream_id} value={stream_id}>
            #{name}
          </option>
        ))}
      </select>
      <input
        ref={topicField}
        class="field"
        list="topics-of-channel"
        aria-label={t.message.topic}
        placeholder={
          allowsNoTopic
            ? t.compose.topicOptional(state.organization.empty_topic_display_name)
            : t.compose.topic
        }
        maxLength={state.server.max_topic_length}
        value={to.topic}
        onInput={(event) => writeTo({ ...to, topic: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          focusWanted.value = { at: 'text' }
        }}
      />
      <datalist id="topics-of-channel">
        {completeTopics(state, to.channelId, to.topic, 12).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Cancel narrow={narrow} />
    </div>
  )
}

function Cancel({ narrow }: { readonly narrow: Narrow }) {
  return (
    <IconButton
      icon="close"
      label={t.cancel}
      onClick={() => {
        writeTo(conversationOfNarrow(narrow))
      }}
    />
  )
}

function Box({ to, narrow }: { readonly to: Conversation; readonly narrow: Narrow }) {
  watch(
    ...(to.kind === 'topic'
      ? ([`channel ${to.channelId}`, 'organization'] as const)
      : to.peers.map((id) => `user ${id}` as const)),
  )
  const { enter_sends } = settings()
  const box = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const [completion, setCompletion] = useState<Completion>()
  const [chosen, setChosen] = useState(0)
  const [shownPreview, setPreview] = useState<string>()
  const [later, setLater] = useState<Element>()
  const [isChoosingTime, setChoosingTime] = useState(false)
  const [snippets, setSnippets] = useState<Element>()
  const isDropping = useDrops()
  const isRunning = useRef(false)
  const content = text.value

  const wanted = focusWanted.value
  useLayoutEffect(() => {
    if (wanted?.at !== 'text' || !box.current) return
    box.current.focus({ preventScroll: true })
    box.current.setSelectionRange(cursor.start, cursor.end)
    focusWanted.value = undefined
  }, [wanted])
  // Focus goes to where the user writes, if there is a keyboard.
  useEffect(() => {
    cursor.start = text.value.length
    cursor.end = cursor.start
  }, [conversationKey(to)])
  useLayoutEffect(() => {
    const element = box.current
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.blockSize = 'auto'
    element.style.blockSize = `${element.scrollHeight + 2}px`
  }, [content, shownPreview])

  const note = () => {
    const element = box.current
    // The box is being removed from the document.
    if (!element) return
    cursor.start = element.selectionStart
    cursor.end = element.selectionEnd
  }
  const look = () => {
    note()
    const element = box.current
    if (!element) return
    const found =
      element.selectionStart === element.selectionEnd
        ? completionsFor(element.value.slice(0, element.selectionStart), to)
        : undefined
    setCompletion(found)
    setChosen(found?.choices[0]?.isLoud ? NONE : 0)
  }
  const take = (index: number) => {
    const choice = completion?.choices[index]
    if (!completion || !choice) return
    cursor.start = completion.from
    insert(choice.text)
    setCompletion(undefined)
    focusWanted.value = { at: 'text' }
  }
  const mustNameTopic = () => {
    if (to.kind !== 'topic' || to.topic.trim() !== '') return false
    const channel = state.channels.get(to.channelId)
    return channel !== undefined && topicsPolicyOf(state, channel) === 'disable_empty_topic'
  }
  const isReady =
    content.trim() !== '' &&
    uploads.value.length === 0 &&
    (to.kind === 'topic' || to.peers.length > 0) &&
    [...content].length <= state.server.max_message_length
  const submit = () => {
    if (isCarriedOut(content)) {
      if (!isRunning.current) void attempt(carryOut())
      return
    }
    if (mustNameTopic()) {
      focusWanted.value = { at: 'topic' }
      return
    }
    if (!isReady) return
    const conversation = to.kind === 'topic' ? { ...to, topic: to.topic.trim() } : to
    send(conversation, content.trim())
    keepUnsent()
    setPreview(undefined)
    empty()
    const here = conversationOfNarrow(narrow)
    // The sent message stays on the screen.
    if (here && conversationKey(here) === conversationKey(conversation)) shownList.current?.toEnd()
    else if (narrow.length === 0) {
      writeTo(undefined)
      if (isNewMessageOpen.value) {
        announce(t.done.posted(conversationName(conversation)), undefined, hrefOfConversation(conversation))
      }
    } else goToConversation(conversation)
  }
  const carryOut = async () => {
    isRunning.current = true
    const at = await runCommand(content.trim(), to).finally(() => {
      isRunning.current = false
    })
    empty()
    announce(at === undefined ? t.compose.isDone : t.compose.remindsAt(wholeTime(at)))
  }
  const sendAt = async (at: number) => {
    await schedule(to, content.trim(), at)
    empty()
    announce(t.compose.isScheduled)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (completion) {
      const count = completion.choices.length
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault()
        setChosen(nextOf(chosen, count, event.key === 'ArrowDown'))
        return
      }
      const takes = event.key === 'Tab' || (event.key === 'Enter' && chosen !== NONE)
      if (takes && !event.shiftKey) {
        event.preventDefault()
        take(Math.max(chosen, 0))
        return
      }
      if (event.key === 'Escape') {
        event.preventDefault()
        event.stopPropagation()
        setCompletion(undefined)
        return
      }
    }
    const isSend =
      event.key === 'Enter' && (event.ctrlKey || event.metaKey || (enter_sends && !event.shiftKey))
    if (isSend) {
      event.preventDefault()
      submit()
    } else if (event.key === 'ArrowUp' && content === '') {
      const own = ownLastMessage(narrow)
      if (own !== undefined) {
        event.preventDefault()
        editedId.value = own
      }
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      box.current?.blur()
      shownList.current?.focus()
    } else if ((event.ctrlKey || event.metaKey) && (event.key === 'b' || event.key === 'i')) {
      event.preventDefault()
      surround(box.current!, event.key === 'b' ? '**' : '*')
    }
  }
  return (
    <>
      {isDropping && <p class="compose-drop">{t.compose.drop(conversationName(to))}</p>}
      <div class="compose-box">
        {completion && (
          <div id="completions" class="completions" role="listbox" aria-label={t.compose.completions}>
            {completion.choices.map((choice, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the box has the focus and names the chosen one
              <div
                key={choice.key}
                id={`completion-${index}`}
                class="completion"
                role="option"
                aria-selected={index === chosen}
                onPointerDown={(event) => {
                  event.preventDefault()
                  take(index)
                }}
              >
                {choice.avatar !== undefined && <Avatar url={choice.avatar} name={choice.label} size={20} />}
                {choice.glyph && (
                  <span class="reaction-emoji" aria-hidden="true">
                    {choice.glyph}
                  </span>
                )}
                <span class="one-line">{choice.label}</span>
                <span class="one-line soft small">{choice.note}</span>
              </div>
            ))}
          </div>
        )}
        {shownPreview === undefined ? (
          <textarea
            ref={box}
            class="compose-text"
            rows={1}
            dir="auto"
            value={content}
            placeholder={t.compose.placeholder(conversationName(to))}
            aria-label={t.compose.placeholder(conversationName(to))}
            aria-autocomplete="list"
            aria-controls={completion ? 'completions' : undefined}
            aria-activedescendant={completion && chosen !== NONE ? `completion-${chosen}` : undefined}
            onInput={(event) => {
              write(event.currentTarget.value)
              if (event.currentTarget.value !== '' && (to.kind === 'topic' || to.peers.length > 0))
                noteTyping(to)
              look()
            }}
            onFocus={() => loadEmoji().catch(() => {})}
            onKeyDown={onKeyDown}
            onKeyUp={note}
            onClick={look}
            onBlur={() => {
              note()
              setCompletion(undefined)
            }}
            onPaste={(event) => takePaste(event, attach)}
          />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it may be longer than the space it has
          <section class="compose-preview" tabIndex={0} aria-label={t.compose.preview}>
            <HtmlText html={shownPreview} />
          </section>
        )}
        {uploads.value.map(({ name, part, stop }) => (
          <div key={name} class="upload">
            <span class="one-line">{name}</span>
            <progress value={part} max={1} aria-label={name} />
            <IconButton icon="close" label={t.cancel} onClick={() => stop.abort()} />
          </div>
        ))}
        <div class="compose-buttons">
          <input
            ref={files}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              attach(event.currentTarget.files ?? [])
              event.currentTarget.value = ''
            }}
          />
          <IconButton icon="attach" label={t.compose.attach} onClick={() => files.current?.click()} />
          <IconButton
            icon="emoji"
            label={t.compose.emoji}
            onClick={(event) =>
              openEmojiPicker(event.currentTarget as Element, ({ emoji_name }) => {
                insert(`:${emoji_name}: `)
                focusWanted.value = { at: 'text' }
              })
            }
          />
          <IconButton
            icon="snippets"
            label={t.compose.snippets}
            aria-haspopup="menu"
            aria-expanded={snippets !== undefined}
            onClick={(event) => setSnippets(event.currentTarget as Element)}
          />
          <IconButton
            icon="preview"
            label={t.compose.preview}
            aria-pressed={shownPreview !== undefined}
            disabled={content.trim() === ''}
            onClick={async () => {
              if (shownPreview === undefined) setPreview(await attempt(preview(content)))
              else setPreview(undefined)
            }}
          />
          <span class="compose-space" />
          <span class="compose-hint" aria-hidden="true">
            {enter_sends ? t.compose.enterSends : t.compose.ctrlEnterSends}
          </span>
          <IconButton
            icon="later"
            label={t.compose.later}
            disabled={!isReady}
            aria-haspopup="menu"
            onClick={(event) => setLater(event.currentTarget as Element)}
          />
          <button
            type="button"
            class="compose-send"
            aria-label={t.compose.send}
            {...tip(t.compose.send, enter_sends ? 'Enter' : 'Ctrl+Enter')}
            aria-disabled={!isReady}
            onClick={submit}
          >
            {t.compose.send}
          </button>
        </div>
        {later && (
          <Menu anchor={later} align="end" label={t.compose.later} onClose={() => setLater(undefined)}>
            {likelyTimes().map(({ name, at }) => (
              <MenuItem key={name} icon="later" onClick={() => attempt(sendAt(at))}>
                {name}
              </MenuItem>
            ))}
            <MenuItem icon="later" onClick={() => setTimeout(() => setChoosingTime(true))}>
              {t.times.another}
            </MenuItem>
          </Menu>
        )}
        {isChoosingTime && (
          <ScheduledDialog
            title={t.compose.later}
            at={likelyTimes()[2]!.at}
            onSave={sendAt}
            onClose={() => setChoosingTime(false)}
          />
        )}
        {snippets && <SnippetMenu anchor={snippets} onClose={() => setSnippets(undefined)} />}
      </div>
    </>
  )
}

/** No suggestion is chosen. */
const NONE = -1

function nextOf(chosen: number, count: number, isDown: boolean): number {
  if (chosen === NONE) return isDown ? 0 : count - 1
  return (chosen + (isDown ? 1 : count - 1)) % count
}

/** Puts the selected text between the marks. */
function surround(box: HTMLTextAreaElement, mark: string): void {
  const chosen = box.value.slice(box.selectionStart, box.selectionEnd)
  cursor.start = box.selectionStart
  cursor.end = box.selectionEnd
  insert(`${mark}${chosen}${mark}`)
  if (chosen === '') {
    cursor.start -= mark.length
    cursor.end = cursor.start
  }
  focusWanted.value = { at: 'text' }
}
