import './user-card.css'
import { state, watch } from '../../chat.ts'
import type { UserGroup } from '../../state/chat-state.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Popover } from '../../ui/popover.tsx'
import { close } from '../message/surface.ts'
import { nameOrder, userName } from '../words.ts'

/** Number of people who are listed. */
const SHOWN = 200

/** The card of a group, beside its mention: who is in it, and its description. */
export function GroupCard({ groupId, anchor }: { readonly groupId: number; readonly anchor: Element }) {
  watch('group', 'user')
  const group = state.groups.get(groupId)
  if (!group) return null
  const byName = nameOrder()
  const people = [...membersOf(group)].filter(
    (id) => state.users.get(id)?.is_active && !isMutedPerson(state, id),
  )
  people.sort((a, b) => byName(userName(a), userName(b)))
  // The server names the groups of roles.
  const name = anchor.textContent?.replace(/^@/, '') || group.name
  return (
    <Popover anchor={anchor} class="card" role="dialog" label={name} onClose={close}>
      <div class="card-head">
        <div>
          <h2 dir="auto">{group.is_system_group ? name : <a href={`#groups/${groupId}`}>{name}</a>}</h2>
          <p class="small soft">{t.channels.subscribers(people.length)}</p>
        </div>
      </div>
      {group.description && !group.is_system_group && (
        <p class="card-status" dir="auto">
          {group.description}
        </p>
      )}
      <ul class="card-members">
        {people.slice(0, SHOWN).map((id) => (
          <li key={id}>
            <a href={`#user/${id}`}>
              <Avatar url={state.users.get(id)?.avatar_url} name={userName(id)} size={24} />
              <span class="one-line" dir="auto">
                {userName(id)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Popover>
  )
}

/** Returns the members of a group, and of the groups in it. */
function membersOf(group: UserGroup): Set<number> {
  const members = new Set<number>()
  const seen = new Set([group])
  for (const one of seen) {
    for (const id of one.members) members.add(id)
    for (const id of one.direct_subgroup_ids) {
      const inner = state.groups.get(id)
      if (inner) seen.add(inner)
    }
  }
  return members
}
