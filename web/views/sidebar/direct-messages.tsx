import { state, watch } from '../../chat.ts'
import { hrefOf, hrefOfConversation } from '../../navigation.ts'
import { conversationKey } from '../../state/conversation.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import { DIRECT_MESSAGES, narrowOf } from '../../state/narrow.ts'
import { recentDirect } from '../../state/recent.ts'
import { conversationUnread, directUnread } from '../../state/unread.ts'
import { hasWords } from '../../state/words.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Count } from '../../ui/empty.tsx'
import { Icon } from '../../ui/icon.tsx'
import { composeToPeople } from '../compose/compose-state.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { Face } from '../people/avatar-with-presence.tsx'
import { isSidebarOpen } from '../preferences.ts'
import { peerNames, shortPeerNames, userName } from '../words.ts'
import { DraftMark, Row } from './row.tsx'
import { isShown, MAX_SHOWN, Section } from './section.tsx'
import { filter, folded } from './sidebar-state.ts'

const ID = 'direct'
/**
 * Number of conversations that are listed before the user asks for all of them; those with new messages are
 * always listed.
 */
const DIRECT_SHOWN = 8

export function DirectMessages() {
  watch('recent', 'unread', 'user')
  const words = filter.value.trim()
  const isFolded = words === '' && folded.value.has(ID)
  const { count } = directUnread(state)
  const shown = recentDirect(state)
    .filter(({ conversation }, index) => {
      if (words !== '') return hasWords(peerNames(conversation.peers), words)
      if (isShown(narrowOf(conversation))) return true
      const isNew = index < MAX_SHOWN && conversationUnread(state, conversation).count > 0
      return isNew || (!isFolded && index < DIRECT_SHOWN)
    })
    .slice(0, MAX_SHOWN)
  if (words !== '' && shown.length === 0) return null
  return (
    <Section
      id={ID}
      name={t.views.direct}
      href={hrefOf(DIRECT_MESSAGES)}
      end={
        <>
          <Count count={count} strong label={t.unread(count)} />
          <IconButton
            icon="plus"
            label={t.sidebar.newDirect}
            hint="x"
            onClick={() => {
              isSidebarOpen.value = false
              composeToPeople()
            }}
          />
        </>
      }
    >
      <ul>
        {shown.map(({ conversation }) => {
          const { peers } = conversation
          const unread = conversationUnread(state, conversation).count
          const narrow = narrowOf(conversation)
          return (
            <li key={conversationKey(conversation)}>
              <Row
                narrow={narrow}
                name={peerNames(peers)}
                class={unread > 0 ? 'sidebar-row-new' : ''}
                href={hrefOfConversation(conversation)}
                isChosen={isShown(narrow)}
              >
                <FaceOf peers={peers} />
                <span class="one-line" dir="auto">
                  {shortPeerNames(peers)}
                </span>
                {peers.length === 1 && <StatusEmoji userId={peers[0]!} />}
                <DraftMark conversation={conversation} />
                <Count count={unread} strong label={t.unread(unread)} />
              </Row>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

/** The picture of one person, with their presence at its corner; of several, those of the first two; a sign for bots. */
function FaceOf({ peers }: { readonly peers: readonly number[] }) {
  for (const id of peers) watch(`user ${id}`)
  const [user, second] = peers.flatMap((id) => (isMutedPerson(state, id) ? [] : (state.users.get(id) ?? [])))
  if (!user) return <Icon name={peers.length > 1 ? 'group' : 'direct'} />
  if (second) {
    return (
      <span class="faces">
        {[user, second].map(({ user_id, avatar_url }) => (
          <Avatar key={user_id} url={avatar_url} name={userName(user_id)} size={20} />
        ))}
      </span>
    )
  }
  return user.is_bot ? <Icon name="bot" /> : <Face user={user} />
}
