import { Forward, ThumbsUp } from 'lucide'
import { markRead, markUnreadFrom, toggleStar } from '../../actions/flags.ts'
import { togglePreviews } from '../../actions/message-changes.ts'
import { state } from '../../chat.ts'
import { hrefOfConversation, wholeAddress } from '../../navigation.ts'
import { conversationOf } from '../../state/conversation.ts'
import {
  mayDelete,
  mayEditContent,
  mayMoveToChannel,
  mayMoveToTopic,
  mayReport,
} from '../../state/message-permissions.ts'
import { withoutMuted } from '../../state/muted-people.ts'
import { type Narrow, narrowKey } from '../../state/narrow.ts'
import { unreadIdsIn } from '../../state/unread.ts'
import { t } from '../../texts/texts.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { mirrored } from '../../ui/mirrored.ts'
import { announce, attempt } from '../announcement.tsx'
import { answer, answerInNewTopic, mayAnswerElsewhere } from '../compose/answer.ts'
import { quote } from '../compose/compose-state.ts'
import { editedId } from '../conversation/selection.ts'
import { PinMessageItem } from '../pins/pin-items.tsx'
import { now } from '../preferences.ts'
import { deleteSoon } from './deletions.ts'
import { close, type MessageDialogKind, openDialog } from './surface.ts'

interface MessageMenuProps {
  readonly messageId: number
  readonly narrow: Narrow
  readonly anchor: Element
  readonly onHold: (id: number) => () => void
}

/** The actions on a message that the user may take. */
export function MessageMenu({ messageId, narrow, anchor, onHold }: MessageMenuProps) {
  const message = state.messages.get(messageId)
  if (!message) return null
  const conversation = conversationOf(message, state.me)
  const isStarred = message.flags.includes('starred')
  const hidesPreviews = message.flags.includes('hide_link_previews')
  // A menu closes after a choice; then the dialog opens.
  const open = (kind: MessageDialogKind) => () => setTimeout(() => openDialog(kind, messageId))
  return (
    <Menu anchor={anchor} align="end" label={t.message.more} onClose={close}>
      <MenuItem icon="reply" onClick={() => answer(message)}>
        {t.replies.reply}
      </MenuItem>
      {mayAnswerElsewhere(message) && (
        <MenuItem onClick={() => answerInNewTopic(message)}>{t.replies.inNewTopic}</MenuItem>
      )}
      <MenuItem icon="quote" hint=">" onClick={() => attempt(quote(message))}>
        {t.message.quote}
      </MenuItem>
      <MenuItem icon={mirrored(Forward)} onClick={open('forward')}>
        {t.message.forward}
      </MenuItem>
      {mayEditContent(state, message, now.value) && (
        <MenuItem
          icon="edit"
          hint="e"
          onClick={() => {
            editedId.value = messageId
          }}
        >
          {t.message.edit}
        </MenuItem>
      )}
      {(mayMoveToTopic(state, message, now.value) || mayMoveToChannel(state, message, now.value)) && (
        <MenuItem icon="move" hint="m" onClick={open('move')}>
          {t.message.move}
        </MenuItem>
      )}
      <PinMessageItem message={message} />
      <MenuItem icon="star" filled={isStarred} hint="*" onClick={() => attempt(toggleStar(messageId))}>
        {isStarred ? t.message.unstar : t.message.star}
      </MenuItem>
      <MenuItem
        icon="unread"
        onClick={() => {
          void attempt(unreadFromHere(narrow, messageId, onHold))
        }}
      >
        {t.message.markUnread}
      </MenuItem>
      {message.content.includes('class="message_embed"') && (
        <MenuItem icon="hidePreviews" onClick={() => attempt(togglePreviews(messageId, !hidesPreviews))}>
          {hidesPreviews ? t.message.showPreviews : t.message.hidePreviews}
        </MenuItem>
      )}
      <MenuItem icon="alarm" onClick={open('remind')}>
        {t.message.remind}
      </MenuItem>
      <MenuLine />
      <MenuItem
        icon="link"
        onClick={async () => {
          await navigator.clipboard.writeText(wholeAddress(hrefOfConversation(conversation, messageId)))
          announce(t.message.linkCopied)
        }}
      >
        {t.message.copyLink}
      </MenuItem>
      <MenuItem icon="source" onClick={open('source')}>
        {t.message.source}
      </MenuItem>
      {(message.last_edit_timestamp || message.last_moved_timestamp) && (
        <MenuItem icon="history" onClick={open('history')}>
          {t.message.history}
        </MenuItem>
      )}
      {withoutMuted(state, message.reactions).length > 0 && (
        <MenuItem icon={ThumbsUp} onClick={open('reactions')}>
          {t.message.reactions}
        </MenuItem>
      )}
      {state.organization.enable_read_receipts && (
        <MenuItem icon="readers" onClick={open('readers')}>
          {t.message.readers}
        </MenuItem>
      )}
      {mayReport(state) && (
        <MenuItem icon="flag" onClick={open('report')}>
          {t.message.report}
        </MenuItem>
      )}
      {mayDelete(state, message, now.value) && (
        <>
          <MenuLine />
          <MenuItem icon="trash" danger onClick={() => deleteSoon(messageId)}>
            {t.message.delete}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

/** Marks a message and those after it as unread, which shows in the list at once, and offers an undo. */
async function unreadFromHere(narrow: Narrow, id: number, onHold: MessageMenuProps['onHold']): Promise<void> {
  const unread = () => {
    const shown = state.windows.get(narrowKey(narrow))?.ids ?? []
    return new Set([...unreadIdsIn(state, narrow), ...shown.filter((one) => state.unread.byId.has(one))])
  }
  const before = unread()
  const release = onHold(id)
  const count = await markUnreadFrom(narrow, id)
  if (count === 0) return
  announce(t.done.unread(count), async () => {
    release()
    markRead([...unread()].filter((one) => one >= id && !before.has(one)))
  })
}
