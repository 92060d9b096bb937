import { muteUser, unmuteUser } from '../../actions/own-account.ts'
import { state, watch } from '../../chat.ts'
import { goToNarrow, hrefOf, wholeAddress } from '../../navigation.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import { DIRECT_MESSAGES, type Narrow } from '../../state/narrow.ts'
import { f } from '../../texts/frame.ts'
import { t } from '../../texts/texts.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { announce, attempt } from '../announcement.tsx'
import { composeToPeople, showNarrow, writeTo } from '../compose/compose-state.ts'
import { markRead } from '../undoable.ts'
import { realName } from '../words.ts'

export { loadFrameTexts } from '../../texts/frame.ts'

interface DirectMenuProps {
  readonly narrow: Narrow
  readonly peers: readonly number[]
  readonly anchor: Element
  readonly onClose: () => void
}

/** The actions on a direct conversation in its heading. */
export function DirectMenu({ narrow, peers, anchor, onClose }: DirectMenuProps) {
  watch('muted users')
  const [peer] = peers
  const person = peers.length === 1 && peer !== state.me ? peer : undefined
  const isMuted = person !== undefined && isMutedPerson(state, person)
  const mute = async (id: number) => {
    await muteUser(id)
    announce(f.card.mutedNow(realName(id)), () => unmuteUser(id))
  }
  return (
    <Menu anchor={anchor} align="end" label={t.conversation.more} onClose={onClose}>
      {person !== undefined && (
        <MenuItem icon="person" href={`#user/${person}`}>
          {t.sidebar.profile}
        </MenuItem>
      )}
      <MenuItem icon="plus" onClick={() => addPeople(peers)}>
        {t.compose.people}
      </MenuItem>
      <MenuItem icon="read" onClick={() => attempt(markRead(narrow))}>
        {t.conversation.markRead}
      </MenuItem>
      <MenuItem
        icon="link"
        onClick={async () => {
          await navigator.clipboard.writeText(wholeAddress(hrefOf(narrow)))
          announce(t.message.linkCopied)
        }}
      >
        {t.message.copyLink}
      </MenuItem>
      {person !== undefined && (
        <>
          <MenuLine />
          <MenuItem
            icon={isMuted ? 'unmuted' : 'muted'}
            onClick={() => attempt(isMuted ? unmuteUser(person) : mute(person))}
          >
            {isMuted ? f.card.unmute : f.card.mute}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

/** Begins a conversation with the same people, to whom others are added: messages stay with those to whom they were written. */
function addPeople(peers: readonly number[]): void {
  showNarrow(DIRECT_MESSAGES)
  composeToPeople()
  writeTo({ kind: 'direct', peers })
  goToNarrow(DIRECT_MESSAGES)
}
