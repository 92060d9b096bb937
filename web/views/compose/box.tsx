import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { makeCall } from '../../actions/calls.ts'
import { runCommand } from '../../actions/commands.ts'
import { preview, schedule } from '../../actions/message-changes.ts'
import { send } from '../../actions/sending.ts'
import { keepUnsent } from '../../actions/session.ts'
import { noteTyping } from '../../actions/typing.ts'
import { state, watch } from '../../chat.ts'
import { goToConversation, hrefOfConversation } from '../../navigation.ts'
import { callProvider } from '../../state/calls.ts'
import { gifWordsOf, isCarriedOut } from '../../state/commands.ts'
import { type Conversation, conversationKey } from '../../state/conversation.ts'
import { gifSourceOf } from '../../state/gifs.ts'
import { wholeOf } from '../../state/message-parts.ts'
import { conversationOfNarrow, type Narrow } from '../../state/narrow.ts'
import { topicsPolicyOf } from '../../state/permissions.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { dateAndTime } from '../../ui/time.tsx'
import { announce, attempt } from '../announcement.tsx'
import { editedId, ownLastMessage, shownList } from '../conversation/selection.ts'
import { likelyTimes } from '../likely-times.ts'
import { HtmlText } from '../message/html-text.tsx'
import { settings } from '../preferences.ts'
import { conversationName } from '../words.ts'
import { WRITING_ACTIONS, type WritingAction } from './actions.ts'
import { attach, uploads, useDrops } from './attachments.ts'
import { FileChips, QuoteChips } from './chips.tsx'
import {
  cursor,
  empty,
  focusWanted,
  insert,
  isNewMessageOpen,
  keepsQuotes,
  parts,
  text,
  write,
  writeTo,
} from './compose-state.ts'
import { unschedule } from './deletions.ts'
import { EmojiButton } from './emoji-button.tsx'
import { FormatToolbar } from './format-toolbar.tsx'
import type { KeptList } from './list-form.tsx'
import { MarkdownBox } from './markdown-box.tsx'
import {
  GifPicker,
  ListForm,
  PlusMenu,
  ScheduledDialog,
  SnippetMenu,
  VoiceRecorder,
  ZoomDialog,
} from './parts.ts'
import { SendButton } from './send-button.tsx'

export { loadComposeTexts } from '../../texts/compose.ts'

/** The surface that is open beside the text. */
type Open =
  | { readonly kind: 'plus' | 'snippets'; readonly anchor: Element }
  | { readonly kind: 'gifs'; readonly anchor: Element; readonly words: string }
  | { readonly kind: 'poll' | 'todo' | 'time' | 'voice' }
  /** The log-in at Zoom, for which the call waits. */
  | { readonly kind: 'zoom'; readonly isVideo: boolean }

export function Box({ to, narrow }: { readonly to: Conversation; readonly narrow: Narrow }) {
  watch(
    ...(to.kind === 'topic'
      ? ([`channel ${to.channelId}`, 'organization'] as const)
      : to.peers.map((id) => `user ${id}` as const)),
  )
  const { enter_sends } = settings()
  const box = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const plus = useRef<HTMLButtonElement>(null)
  const [shownPreview, setPreview] = useState<string>()
  const [open, setOpen] = useState<Open>()
  const isDropping = useDrops()
  const gifSource = gifSourceOf(state)
  const isRunning = useRef(false)
  const keptLists = useRef<{ readonly poll?: KeptList | undefined; readonly todo?: KeptList | undefined }>({})
  const content = text.value
  const shown = parts.value

  const wanted = focusWanted.value
  useLayoutEffect(() => {
    if (wanted?.at !== 'text' || !box.current) return
    box.current.focus({ preventScroll: true })
    box.current.setSelectionRange(cursor.start, cursor.end)
    focusWanted.value = undefined
  }, [wanted])
  // Focus goes to where the user writes, if there is a keyboard.
  useEffect(() => {
    cursor.start = parts.value.body.length
    cursor.end = cursor.start
  }, [conversationKey(to)])

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
    setOpen(undefined)
    // Runs after the dialog has returned the focus to its menu.
    setTimeout(focus)
  }
  const insertHere = (inserted: string) => {
    insert(inserted)
    // Menus and pickers first return the focus to their button.
    setTimeout(focus)
  }
  const mustNameTopic = () => {
    if (to.kind !== 'topic' || to.topic.trim() !== '') return false
    const channel = state.channels.get(to.channelId)
    return channel !== undefined && topicsPolicyOf(state, channel) === 'disable_empty_topic'
  }
  const hasRecipient = to.kind === 'topic' || to.peers.length > 0
  const over = [...content.trim()].length - state.server.max_message_length
  const isReady = content.trim() !== '' && uploads.value.length === 0 && hasRecipient && over <= 0
  const post = (written: string) => {
    const conversation = to.kind === 'topic' ? { ...to, topic: to.topic.trim() } : to
    send(conversation, written)
    keepUnsent()
    return conversation
  }
  const submit = () => {
    const gifWords = gifSource && gifWordsOf(content)
    if (gifWords !== undefined) {
      empty()
      perform('gif', gifWords)
      return
    }
    if (isCarriedOut(content)) {
      if (!isRunning.current) void attempt(carryOut())
      return
    }
    if (mustNameTopic()) {
      focusWanted.value = { at: 'topic' }
      return
    }
    if (!isReady) return
    const conversation = post(content.trim())
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
    announce(at === undefined ? t.compose.isDone : t.compose.remindsAt(dateAndTime(at)))
  }
  const sendAt = async (at: number) => {
    const written = content.trim()
    const id = await schedule(to, written, at)
    empty()
    announce(t.compose.isScheduled(dateAndTime(at)), () => unschedule(id, to, written), '#scheduled')
  }
  const call = async (isVideo: boolean) => {
    const url = await makeCall(conversationName(to), { isVideo })
    if (url === undefined) return setOpen({ kind: 'zoom', isVideo })
    insert(`[${isVideo ? c.joinVideo : c.joinVoice}](${url})`, { ownLine: true })
    focus()
  }
  const offered = WRITING_ACTIONS.filter((action) => {
    if (action === 'videoCall' || action === 'voiceCall') return callProvider(state) !== undefined
    // A command cannot be sent later.
    if (action === 'schedule') return isReady && !/^\/\S*$/.test(content.trim())
    if (action === 'gif') return gifSource !== undefined
    if (action === 'voice') return typeof MediaRecorder !== 'undefined'
    return hasRecipient || (action !== 'poll' && action !== 'todo')
  })
  const perform = (action: WritingAction, words = '') => {
    // A menu first returns the focus to its button.
    setTimeout(() => {
      switch (action) {
        case 'file':
          return files.current?.click()
        case 'poll':
        case 'todo':
          if (mustNameTopic()) focusWanted.value = { at: 'topic' }
          else setOpen({ kind: action })
          return
        case 'snippet':
          return setOpen({ kind: 'snippets', anchor: plus.current! })
        case 'gif':
          return setOpen({ kind: 'gifs', anchor: plus.current!, words })
        case 'schedule':
          return setOpen({ kind: 'time' })
        case 'reminder':
          write(`/remind ${shown.body}`)
          cursor.start = text.value.length
          cursor.end = cursor.start
          return focus()
        case 'voice':
          return setOpen({ kind: 'voice' })
        default:
          void attempt(call(action === 'videoCall'))
      }
    })
  }
  const onKey = (event: KeyboardEvent): boolean => {
    const isSend =
      event.key === 'Enter' && (event.ctrlKey || event.metaKey || (enter_sends && !event.shiftKey))
    if (isSend) {
      submit()
      return true
    }
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
  const label = t.compose.placeholder(conversationName(to))
  return (
    <>
      {isDropping && <p class="compose-drop">{t.compose.drop(conversationName(to))}</p>}
      <div class="compose-box">
        {shown.quotes.length > 0 && (
          <QuoteChips
            parts={shown}
            onParts={(next) => write(wholeOf(next))}
            onEdit={() => {
              keepsQuotes.value = true
              cursor.start = parts.value.body.length
              cursor.end = cursor.start
              focus()
            }}
          />
        )}
        {shownPreview === undefined ? (
          <MarkdownBox
            box={box}
            class="compose-text"
            value={shown.body}
            label={label}
            placeholder={label}
            where={to}
            onValue={(body) => {
              write(wholeOf({ ...parts.value, body }))
              if (text.value !== '' && hasRecipient) noteTyping(to)
            }}
            onKey={onKey}
            onSelect={note}
            onFiles={attach}
            offered={offered}
            onAction={perform}
          />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it may be longer than the space it has
          <section class="compose-preview" tabIndex={0} aria-label={t.compose.preview}>
            <HtmlText html={shownPreview} />
          </section>
        )}
        {shown.files.length + uploads.value.length > 0 && (
          <FileChips parts={shown} uploads={uploads.value} onParts={(next) => write(wholeOf(next))} />
        )}
        {open?.kind === 'voice' && <VoiceRecorder onDone={(file) => attach([file])} onClose={closeForm} />}
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
          <IconButton
            icon="plus"
            label={t.compose.add}
            buttonRef={plus}
            aria-haspopup="menu"
            aria-expanded={open?.kind === 'plus'}
            onClick={(event) => setOpen({ kind: 'plus', anchor: event.currentTarget as Element })}
          />
          <FormatToolbar box={box} disabled={shownPreview !== undefined} />
          <EmojiButton onInsert={insertHere} />
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
          <span class="compose-over" role="status">
            {over > 0 && c.tooLong(over)}
          </span>
          <SendButton
            isReady={isReady}
            onSend={submit}
            onSchedule={(at) => {
              if (at === undefined) setTimeout(() => setOpen({ kind: 'time' }))
              else void attempt(sendAt(at))
            }}
          />
        </div>
        {open?.kind === 'plus' && (
          <PlusMenu
            anchor={open.anchor}
            offered={offered}
            onChoose={(action) => perform(action)}
            onClose={() => setOpen((now) => (now === open ? undefined : now))}
          />
        )}
        {open?.kind === 'snippets' && (
          <SnippetMenu
            anchor={open.anchor}
            onInsert={insertHere}
            onClose={() => setOpen((now) => (now === open ? undefined : now))}
          />
        )}
        {open?.kind === 'gifs' && gifSource && (
          <GifPicker
            anchor={open.anchor}
            source={gifSource}
            words={open.words}
            onInsert={insertHere}
            onClose={() => setOpen((now) => (now === open ? undefined : now))}
          />
        )}
        {(open?.kind === 'poll' || open?.kind === 'todo') && (
          <ListForm
            kind={open.kind}
            kept={keptLists.current[open.kind]}
            onKeep={(kept) => {
              keptLists.current = { ...keptLists.current, [open.kind]: kept }
            }}
            onSend={(written) => {
              post(written)
              shownList.current?.toEnd()
            }}
            onClose={closeForm}
          />
        )}
        {open?.kind === 'zoom' && (
          <ZoomDialog
            onLoggedIn={() => {
              setOpen(undefined)
              void attempt(call(open.isVideo))
            }}
            onClose={() => setOpen(undefined)}
          />
        )}
        {open?.kind === 'time' && (
          <ScheduledDialog
            title={t.compose.later}
            at={likelyTimes()[2]!.at}
            onSave={sendAt}
            onClose={closeForm}
          />
        )}
      </div>
    </>
  )
}

function cursorIsFirst({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLTextAreaElement && target.selectionStart === 0 && target.selectionEnd === 0
}
