import { Send } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../actions/call.ts'
import { changeScheduled } from '../../actions/message-changes.ts'
import { loadMessages } from '../../actions/message-windows.ts'
import { sendAgain } from '../../actions/sending.ts'
import { state, watch } from '../../chat.ts'
import { hrefOfConversation, hrefOfMessage } from '../../navigation.ts'
import { type Conversation, conversationOf } from '../../state/conversation.ts'
import { shownMessage } from '../../state/muted-people.ts'
import { unsentMessages } from '../../state/outbox.ts'
import { plainOf } from '../../state/plain-markdown.ts'
import { noteOfReminder } from '../../state/reminders.ts'
import type { Reminder } from '../../state/wire.ts'
import { c } from '../../texts/compose.ts'
import { own } from '../../texts/isolate.ts'
import { t } from '../../texts/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { mirrored } from '../../ui/mirrored.ts'
import { QuestionDialog } from '../../ui/question.tsx'
import { dayName, timeOfDay } from '../../ui/time.tsx'
import { announce, attempt } from '../announcement.tsx'
import { previewOf } from '../inbox/preview.ts'
import { conversationName } from '../words.ts'
import { conversationOfDraft, deleteHere, draftsHere, moveToConversation, saveNow } from './compose-state.ts'
import { conversationOfScheduled, deleteDraft, deleteScheduled, sendNow } from './deletions.ts'
import { discardUnsent } from './discard-unsent.ts'
import { ScheduledDialog } from './scheduled-dialog.tsx'

export { loadComposeTexts } from '../../texts/compose.ts'

/** The view of drafts, scheduled messages and reminders. */
export function DraftsView() {
  watch('outbox', 'drafts', 'scheduled', 'reminders', 'channel', 'user')
  const drafts = [...state.drafts.values()].sort((a, b) => b.timestamp - a.timestamp)
  const scheduled = [...state.scheduled.values()].sort(
    (a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp,
  )
  const reminders = [...state.reminders.values()].sort(
    (a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp,
  )
  // Only the server knows its note, so the page cannot recreate it.
  const [forgotten, setForgotten] = useState<number>()
  const targets = reminders.map(({ reminder_target_message_id }) => reminder_target_message_id)
  useEffect(() => {
    loadMessages(targets).catch(() => {})
  }, [targets.join()])
  // The text in the box is one of them.
  useEffect(saveNow, [])
  const here = draftsHere()
  const waiting = unsentMessages(state)
  const isEmpty = waiting.length + here.length + drafts.length + scheduled.length + reminders.length === 0
  return (
    <>
      <header class="view-head">
        <Icon name="later" />
        <h1>{t.views.drafts}</h1>
      </header>
      {isEmpty ? (
        <Empty icon="later" title={c.drafts.nothing}>
          <p>{c.drafts.nothingHint}</p>
        </Empty>
      ) : (
        <div class="view-scroll">
          <div class="view-inner inbox">
            {waiting.length > 0 && <Heading icon="recent">{c.drafts.waiting}</Heading>}
            {waiting.map((one) => (
              <Entry
                key={one.localId}
                where={one.conversation}
                when={one.sentAt}
                text={one.content}
                failed={one.failure?.isRefused}
                onSend={one.status === 'failed' ? () => sendAgain(one.localId) : undefined}
                onDelete={one.status === 'failed' ? () => discardUnsent(one) : undefined}
              />
            ))}
            {here.length + drafts.length > 0 && <Heading icon="draft">{c.drafts.begun}</Heading>}
            {here.map((draft) => (
              <Entry
                key={draft.key}
                where={draft.where}
                text={draft.text}
                onOpen={() => moveToConversation(draft)}
                onDelete={() => {
                  const undo = deleteHere(draft)
                  announce(c.drafts.deleted, async () => undo())
                }}
              />
            ))}
            {drafts.map((draft) => (
              <Entry
                key={draft.id}
                where={conversationOfDraft(draft)}
                when={draft.timestamp}
                text={draft.content}
                onDelete={() => attempt(deleteDraft(draft))}
              />
            ))}
            {scheduled.length > 0 && <Heading icon="later">{c.drafts.scheduled}</Heading>}
            {scheduled.map((one) => (
              <Entry
                key={one.scheduled_message_id}
                where={conversationOfScheduled(one)}
                when={one.scheduled_delivery_timestamp}
                text={one.content}
                failed={one.failed}
                onChange={(at, text) => changeScheduled(one.scheduled_message_id, text, at)}
                onSend={() => attempt(sendNow(one))}
                onDelete={() => attempt(deleteScheduled(one))}
              />
            ))}
            {reminders.length > 0 && <Heading icon="alarm">{c.drafts.reminders}</Heading>}
            {reminders.map((one) => (
              <ReminderEntry
                key={one.reminder_id}
                reminder={one}
                onDelete={() => setForgotten(one.reminder_id)}
              />
            ))}
          </div>
        </div>
      )}
      {forgotten !== undefined && (
        <QuestionDialog
          question={{ title: c.drafts.reminderQuestion, text: c.drafts.reminderWarning }}
          button={c.drafts.delete}
          onAct={() => attempt(call('DELETE', `/reminders/${forgotten}`)).then(() => undefined)}
          onClose={() => setForgotten(undefined)}
        />
      )}
    </>
  )
}

function Heading({ icon, children }: { readonly icon: IconName; readonly children: string }) {
  return (
    <h2 class="inbox-heading later-heading">
      <Icon name={icon} />
      {children}
    </h2>
  )
}

/** A reminder by its user's note, or else by the message that it is about. */
function ReminderEntry({
  reminder,
  onDelete,
}: {
  readonly reminder: Reminder
  readonly onDelete: () => void
}) {
  const { reminder_target_message_id: id, content, scheduled_delivery_timestamp } = reminder
  watch(`message ${id}`)
  const message = state.messages.get(id)
  const note = noteOfReminder(content)
  const shown = shownMessage(state, id)
  const about = shown ? previewOf(shown) : message ? t.mutedPerson : ''
  return (
    <Entry
      where={message && conversationOf(message, state.me)}
      href={hrefOfMessage(id)}
      when={scheduled_delivery_timestamp}
      text={note && about ? `${note} · ${about}` : note || about}
      onDelete={onDelete}
    />
  )
}

interface EntryProps {
  readonly where: Conversation | undefined
  readonly href?: string
  readonly when?: number
  readonly text: string
  readonly onOpen?: () => void
  /** Whether sending it has failed. */
  readonly failed?: boolean | undefined
  readonly onChange?: (at: number, text: string) => Promise<void>
  readonly onSend?: (() => void) | undefined
  readonly onDelete: (() => void) | undefined
}

function Entry({ where, href, when, text, failed, onOpen, onChange, onSend, onDelete }: EntryProps) {
  const [isChanging, setChanging] = useState(false)
  return (
    <div class="inbox-row">
      <a
        class="inbox-link draft-link"
        href={href ?? (where ? hrefOfConversation(where) : '#feed')}
        onClick={onOpen}
      >
        <span class="draft-text">
          {/* A time that is cut off says nothing. */}
          <span class="small soft">
            {[where && own(conversationName(where)), when && `${dayName(when)} ${timeOfDay(when)}`]
              .filter(Boolean)
              .join(' · ')}
            {failed && <strong> · {c.drafts.failed}</strong>}
          </span>
          <span class="one-line" dir="auto">
            {plainOf(text)}
          </span>
        </span>
      </a>
      {onSend && <IconButton icon={mirrored(Send)} label={c.drafts.sendNow} onClick={onSend} />}
      {onChange && <IconButton icon="edit" label={c.drafts.change} onClick={() => setChanging(true)} />}
      {onChange && isChanging && when !== undefined && (
        <ScheduledDialog
          title={c.drafts.change}
          button={t.save}
          at={when}
          text={text}
          onSave={onChange}
          onClose={() => setChanging(false)}
        />
      )}
      {onDelete && <IconButton icon="trash" label={c.drafts.delete} onClick={onDelete} />}
    </div>
  )
}
