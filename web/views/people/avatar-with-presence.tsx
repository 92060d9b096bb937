import type { User } from '../../state/wire.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { PresenceDot } from './presence-dot.tsx'

/** The picture of a person in a list, with their presence at its corner. */
export function Face({ user: { user_id, avatar_url, full_name } }: { readonly user: User }) {
  return (
    <span class="face">
      <Avatar url={avatar_url} name={full_name} size={20} />
      <PresenceDot userId={user_id} />
    </span>
  )
}
