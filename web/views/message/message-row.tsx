import './message.css'
import { useEffect } from 'preact/hooks'
import { sendAgain } from '../../actions/sending.ts'
import { connection } from '../../actions/session.ts'
import { state, watch } from '../../chat.ts'
import { hrefOfConversation } from '../../navigation.ts'
import { conversationOf } from '../../state/conversation.ts'
import type { Message } from '../../state/wire.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { hourOfDay, Time, timeOfDay, wholeTime } from '../../ui/time.tsx'
import { announce } from '../announcement.tsx'
import { discardUnsent } from '../compose/discard-unsent.ts'
import { editedId, restoreEdit, selectedId } from '../conversation/selection.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { userName } from '../words.ts'
import { HtmlText, type TextNote } from './html-text.tsx'
import { isPdf, PICTURE_LINKS } from './media.ts'
import { Reactions } from './reactions.tsx'
import { Replies } from './replies.tsx'
import { openDialog, openUserCard, surface } from './surface.ts'

const EditBox = onDemand(async () => {
  const { EditBox: box, loadComposeTexts } = await import('./edit-box.tsx')
  await loadComposeTexts()
  return box
})

const Widget = onDemand(async () => {
  const { Widget: widget, loadReadingTexts } = await import('./widget.tsx')
  await loadReadingTexts()
  return widget
})

interface MessageRowProps {
  readonly id: number
  /** Whether it shows its sender. */
  readonly begins: boolean
  /** Whether the address names it. */
  readonly isTarget: boolean
  /** Whether a search has found it: the searched words are marked. */
  readonly isFound: boolean
}

/** One message, which is drawn again only when it changes. */
/** Whether a message comes while it is read: within two seconds, by a clock that may be wrong. */
function isJustSent({ timestamp }: Message): boolean {
  return Math.abs(Date.now() / 1_000 - timestamp) < 2
}

export function MessageRow({ id, begins, isTarget, isFound }: MessageRowProps) {
  watch(`message ${id}`)
  useEffect(() => restoreEdit(id), [])
  const message = state.messages.get(id)
  if (!message) return null
  watch(`user ${message.sender_id}`)
  const sender = state.users.get(message.sender_id)
  const name = sender?.full_name ?? message.sender_full_name
  const mentions =
    message.flags.includes('mentioned') || message.flags.some((flag) => flag.endsWith('wildcard_mentioned'))
  const kinds = [
    'message',
    begins && 'message-begins',
    mentions && 'message-mentions',
    isTarget && 'message-target',
    message.sender_id !== state.me && isJustSent(message) && 'message-new',
  ]
  const html = (isFound ? message.match_content : undefined) ?? message.content
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: pictures are links, and cards of people have a key of their own
    <article
      class={kinds.filter(Boolean).join(' ')}
      data-id={id}
      tabIndex={-1}
      aria-label={t.message.label({ name, time: timeOfDay(message.timestamp) })}
      onFocus={() => {
        selectedId.value = id
      }}
      onClick={onContentClick}
    >
      <div class="message-side">
        {begins ? (
          <button
            type="button"
            class="message-avatar"
            tabIndex={-1}
            onClick={(event) => openUserCard(message.sender_id, event.currentTarget)}
          >
            <span class="hidden-text">{t.message.openCard(name)}</span>
            <Avatar url={sender?.avatar_url ?? message.avatar_url} name={name} size={36} />
          </button>
        ) : (
          <span class="message-hour" aria-hidden="true">
            {hourOfDay(message.timestamp)}
          </span>
        )}
      </div>
      <div class="message-main">
        {begins && (
          <p class="message-head">
            <button
              type="button"
              class="message-sender"
              tabIndex={-1}
              onClick={(event) => openUserCard(message.sender_id, event.currentTarget)}
            >
              {name}
            </button>
            {sender?.is_bot && <span class="message-bot">{t.people.bot}</span>}
            <StatusEmoji userId={message.sender_id} />
            <a
              class="message-time"
              href={hrefOfConversation(conversationOf(message, state.me), id)}
              tabIndex={-1}
            >
              <Time seconds={message.timestamp} />
            </a>
          </p>
        )}
        {editedId.value === id && message.sender_id === state.me ? (
          <EditBox id={id} />
        ) : message.submessages.length > 0 ? (
          <Widget message={message} />
        ) : (
          <HtmlText html={html} class={classOfText(message)} note={noteOf(message)} folds={!isFound} />
        )}
        {message.reactions.length > 0 && <Reactions message={message} />}
        <Replies id={id} />
      </div>
      {message.flags.includes('starred') && (
        <span class="message-star" role="img" aria-label={t.message.isStarred}>
          <Icon name="star" filled />
        </span>
      )}
    </article>
  )
}

/** Says that a message was edited, or moved. */
function noteOf({ id, last_edit_timestamp, last_moved_timestamp }: Message): TextNote | undefined {
  const at = last_edit_timestamp ?? last_moved_timestamp
  if (at === undefined) return undefined
  return {
    text: `(${last_edit_timestamp === undefined ? t.message.moved : t.message.edited})`,
    tip: wholeTime(at),
    onClick: () => openDialog('history', id),
  }
}

function classOfText({ is_me_message, flags }: Message): string {
  const hides = flags.includes('hide_link_previews') ? 'hides-previews' : ''
  return is_me_message ? `message-me ${hides}` : hides
}

/** Handles clicks on people and pictures in the text. */
function onContentClick(event: MouseEvent): void {
  const element = event.target as Element
  const mention = element.closest('.user-mention[data-user-id]')
  const userId = Number(mention?.getAttribute('data-user-id'))
  if (mention && state.users.has(userId)) {
    openUserCard(userId, mention)
    return
  }
  const group = element.closest('.user-group-mention')
  const groupId = Number(group?.getAttribute('data-user-group-id'))
  if (group && state.groups.has(groupId)) {
    surface.value = { kind: 'group', groupId, anchor: group }
    return
  }
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = element.closest('a')
  if (link && isPdf(link)) {
    event.preventDefault()
    surface.value = { kind: 'pdf', opener: link }
    return
  }
  const picture = element.closest<HTMLAnchorElement>(PICTURE_LINKS)
  if (picture?.querySelector('img')) {
    const url = new URL(picture.href)
    if (url.origin !== location.origin) return
    event.preventDefault()
    surface.value = { kind: 'picture', opener: picture }
  }
}

/** A message that is being sent, or was not. */
export function OutgoingRow({ localId, begins }: { readonly localId: string; readonly begins: boolean }) {
  watch('outbox', `user ${state.me}`)
  const outgoing = state.outbox.byLocalId.get(localId)
  if (!outgoing) return null
  const hasFailed = outgoing.status === 'failed'
  return (
    <article
      class={begins ? 'message message-begins message-outgoing' : 'message message-outgoing'}
      data-local-id={localId}
      aria-label={t.message.label({
        name: userName(state.me),
        time: hasFailed ? t.message.notSent : t.message.sending,
      })}
    >
      <div class="message-side">
        {begins && <Avatar url={state.users.get(state.me)?.avatar_url} name={userName(state.me)} size={36} />}
      </div>
      <div class="message-main">
        {begins && (
          <p class="message-head">
            <span class="message-sender">{userName(state.me)}</span>
            <span class="message-time">
              <Time seconds={outgoing.sentAt} />
            </span>
          </p>
        )}
        <div class="rendered message-plain">{outgoing.content}</div>
        {!hasFailed && (
          <p class="message-waiting">
            <Icon name="recent" />
            {connection.value.kind === 'live' ? t.message.sending : t.message.waiting}
          </p>
        )}
        {hasFailed && (
          <p class="message-failure" role="alert">
            {outgoing.failure?.text || t.message.notSent}
            <button type="button" onClick={() => sendAgain(localId)}>
              {t.tryAgain}
            </button>
            <button type="button" onClick={() => copyText(outgoing.content)}>
              {t.message.copyText}
            </button>
            <button type="button" onClick={() => discardUnsent(outgoing)}>
              {t.message.discard}
            </button>
          </p>
        )}
      </div>
    </article>
  )
}

async function copyText(content: string): Promise<void> {
  await navigator.clipboard.writeText(content)
  announce(t.message.copied)
}
