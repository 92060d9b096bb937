import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { makeCall } from '../../actions/calls.ts'
import { runCommand } from '../../actions/commands.ts'
import { schedule } from '../../actions/message-changes.ts'
import { send } from '../../actions/sending.ts'
import { keepUnsent } from '../../actions/session.ts'
import { noteTyping } from '../../actions/typing.ts'
import { state, watch } from '../../chat.ts'
import { goToConversation, hrefOfConversation } from '../../navigation.ts'
import { callProvider } from '../../state/calls.ts'
import { isCarriedOut } from '../../state/commands.ts'
import { type Conversation, conversationKey } from '../../state/conversation.ts'
import { wholeOf } from '../../state/message-parts.ts'
import { conversationOfNarrow, type Narrow } from '../../state/narrow.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { comingTime } from '../../ui/coming-time.ts'
import { announce, attempt } from '../announcement.tsx'
import { editedId, ownLastMessage, shownList } from '../conversation/selection.ts'
import { likelyTimes } from '../likely-times.ts'
import { settings } from '../preferences.ts'
import { channelName, conversationName, listedBriefly, userName } from '../words.ts'
import { WRITING_ACTIONS, type WritingAction } from './actions.ts'
import { attach, uploads, useDrops } from './attachments.ts'
import {
  cursor,
  cursorToEnd,
  empty,
  type FileTaker,
  fileTaker,
  focusWanted,
  insert,
  isNewMessageOpen,
  keepsQuotes,
  parts,
  place,
  text,
  write,
  writeTo,
} from './compose-state.ts'
import { unschedule } from './deletions.ts'
import './other-tabs.ts'
import { ListForm, ScheduledDialog, VoiceRecorder, ZoomDialog } from './parts.ts'
import { SendButton } from './send-button.tsx'
import { lacksTopic } from './topics-of-channel.ts'
import { WritingBox } from './writing-box.tsx'

export { loadComposeTexts } from '../../texts/compose.ts'

/** The open form of a message that is more than a text. */
type Form =
  | { readonly kind: 'poll' | 'todo' }
  /** `hasText`: whether the form has a field for the text, since the box is empty. */
  | { readonly kind: 'time'; readonly hasText: boolean }
  /** `files`: what takes the recording. */
  | { readonly kind: 'voice'; readonly files: FileTaker }
  /** The log-in at Zoom, for which the call waits. */
  | { readonly kind: 'zoom'; readonly isVideo: boolean }

/** Words between underscores, which are a format elsewhere. */
const UNDERSCORES = /(?:^|\s)__?[^\s_][^_\n]*__?(?!\w)/

/** Number of people whom the empty box names. */
const NAMED = 3

export function Box({ to, narrow }: { readonly to: Conversation; readonly narrow: Narrow }) {
  watch(
    ...(to.kind === 'topic'
      ? ([`channel ${to.channelId}`, 'organization'] as const)
      : to.peers.map((id) => `user ${id}` as const)),
  )
  const box = useRef<HTMLTextAreaElement>(null)
  const [form, setForm] = useState<Form>()
  /** Whether the text was to be sent before its files had arrived. */
  const [isEarly, setEarly] = useState(false)
  const isDropping = useDrops()
  const isRunning = useRef(false)
  const content = text.value
  const shown = parts.value
  const view = place.value
  const arriving = uploads.value.filter((one) => one.place?.key === view.key)

  const wanted = focusWanted.value
  useLayoutEffect(() => {
    if (wanted?.at !== 'text' || !box.current) return
    box.current.focus({ preventScroll: true })
    box.current.setSelectionRange(cursor.start, cursor.end)
    focusWanted.value = undefined
  }, [wanted])
  // Another text is continued at its end.
  useEffect(cursorToEnd, [conversationKey(to)])
  // A form belongs to the view in which it was opened.
  useEffect(() => () => setForm(undefined), [view])

  const note = () => {
    const element = box.current
    // The box is being removed from the document.
    if (!element) return
    cursor.start = element.selectionStart
    cursor.end = element.selectionEnd
  }
  const focus = () => {
    focusWanted.value = { at: 'text' }
  }
  const closeForm = () => {
    setForm(undefined)
    // Runs after the dialog has returned the focus to its menu.
    setTimeout(focus)
  }
  /** Leads to the field of the topic if none has been chosen. Returns whether it does. */
  const asksTopic = () => {
    if (!lacksTopic(to)) return false
    focusWanted.value = { at: 'topic' }
    return true
  }
  const hasRecipient = to.kind === 'topic' || to.peers.length > 0
  const over = [...content.trim()].length - state.server.max_message_length
  const isSendable = arriving.length === 0 && hasRecipient && over <= 0
  const isReady = content.trim() !== '' && isSendable
  const post = (written: string) => {
    const conversation = to.kind === 'topic' ? { ...to, topic: to.topic.trim() } : to
    send(conversation, written)
    keepUnsent()
    return conversation
  }
  const submit = () => {
    if (isCarriedOut(content)) {
      if (!isRunning.current) void attempt(carryOut())
      return
    }
    if (asksTopic()) return
    if (!hasRecipient) {
      focusWanted.value = { at: 'people' }
      return
    }
    setEarly(arriving.length > 0)
    if (!isReady) return
    const conversation = post(content.trim())
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
    announce(at === undefined ? c.isDone : t.compose.remindsAt(comingTime(at)))
  }
  const sendAt = async (at: number, written = content.trim()) => {
    const id = await schedule(to, written, at)
    if (written === content.trim()) empty()
    announce(c.isScheduled(comingTime(at)), () => unschedule(id, to, written), '#scheduled')
  }
  const call = async (isVideo: boolean) => {
    const url = await makeCall(conversationName(to), { isVideo })
    if (url === undefined) return setForm({ kind: 'zoom', isVideo })
    insert(`[${isVideo ? c.joinVideo : c.joinVoice}](${url})`, { ownLine: true })
    focus()
  }
  const offered = WRITING_ACTIONS.filter((action) => {
    if (action === 'videoCall' || action === 'voiceCall') return callProvider(state) !== undefined
    // What runs here cannot be sent later.
    if (action === 'schedule') return isSendable && !isCarriedOut(content)
    if (action === 'voice') return typeof MediaRecorder !== 'undefined'
    return hasRecipient || (action !== 'poll' && action !== 'todo')
  })
  const perform = (action: WritingAction) => {
    switch (action) {
      case 'poll':
      case 'todo':
        if (!asksTopic()) setForm({ kind: action })
        return
      case 'schedule':
        // A command has left the box since.
        if (!asksTopic()) setForm({ kind: 'time', hasText: text.value.trim() === '' })
        return
      case 'reminder':
        write(`/remind ${shown.body}`)
        cursorToEnd()
        return focus()
      case 'voice':
        return setForm({ kind: 'voice', files: fileTaker() })
      default:
        void attempt(call(action === 'videoCall'))
    }
  }
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === 'ArrowUp' && content === '') {
      const own = ownLastMessage(narrow)
      if (own !== undefined) editedId.value = own
      return own !== undefined
    }
    if (event.key === 'Backspace' && cursorIsFirst(event) && shown.quotes.length > 0) {
      write(wholeOf({ ...shown, quotes: shown.quotes.slice(0, -1) }))
      return true
    }
    if (event.key === 'Escape') {
      event.stopPropagation()
      box.current?.blur()
      shownList.current?.focus()
    }
    return false
  }
  const hasUnderscores = UNDERSCORES.test(shown.body)
  const label = t.compose.placeholder(
    to.kind === 'direct' && to.peers.length > NAMED
      ? listedBriefly(to.peers.map(userName), NAMED)
      : to.kind === 'topic' && lacksTopic(to)
        ? `#${channelName(to.channelId)}`
        : conversationName(to),
  )
  return (
    <>
      {isDropping && <p class="compose-drop">{c.drop(conversationName(to))}</p>}
      <WritingBox
        box={box}
        label={label}
        placeholder={label}
        where={to}
        parts={shown}
        onParts={(next) => {
          write(wholeOf(next))
          if (text.value !== '' && hasRecipient) noteTyping(to)
        }}
        onEditQuotes={() => {
          keepsQuotes.value = true
          cursorToEnd()
          focus()
        }}
        uploads={arriving}
        onFiles={attach}
        offered={offered}
        onAction={perform}
        isNew
        onEnd={submit}
        onKey={onKey}
        onSelect={note}
        above={
          form?.kind === 'voice' && (
            <VoiceRecorder onDone={(file) => attach([file], form.files)} onClose={closeForm} />
          )
        }
        buttons={(end) => (
          <>
            <span class="compose-space" />
            <span class="compose-over" role="status">
              {over > 0 ? c.tooLong(over) : isEarly && arriving.length > 0 && c.stillUploading}
            </span>
            <SendButton
              isReady={isReady}
              onSend={end}
              onSchedule={(at) => {
                if (asksTopic()) return
                if (at === undefined) setTimeout(() => setForm({ kind: 'time', hasText: false }))
                else void attempt(sendAt(at))
              }}
            />
          </>
        )}
      />
      <p class={hasUnderscores ? 'compose-hint compose-hint-shown' : 'compose-hint'}>
        {hasUnderscores ? c.underscoreHint : settings().enter_sends ? c.enterHint : c.ctrlEnterHint}
      </p>
      {(form?.kind === 'poll' || form?.kind === 'todo') && (
        <ListForm
          kind={form.kind}
          view={view.key}
          onSend={(written) => {
            post(written)
            shownList.current?.toEnd()
          }}
          onClose={closeForm}
        />
      )}
      {form?.kind === 'zoom' && (
        <ZoomDialog
          onLoggedIn={() => {
            setForm(undefined)
            void attempt(call(form.isVideo))
          }}
          onClose={() => setForm(undefined)}
        />
      )}
      {form?.kind === 'time' && (
        <ScheduledDialog
          title={t.compose.later}
          at={likelyTimes()[2]!.at}
          {...(form.hasText ? { text: '' } : {})}
          onSave={(at, written) => sendAt(at, written || undefined)}
          onClose={closeForm}
        />
      )}
    </>
  )
}

function cursorIsFirst({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLTextAreaElement && target.selectionStart === 0 && target.selectionEnd === 0
}
