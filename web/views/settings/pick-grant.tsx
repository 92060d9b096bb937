import { useState } from 'preact/hooks'
import { state, watch } from '../../chat.ts'
import { hasWords, isUserNamed } from '../../state/words.ts'
import { s } from '../../texts/settings.ts'
import { t } from '../../texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'

const SHOWN_CHOICES = 8

interface PickGrantProps {
  readonly anchor: Element
  readonly label: string
  readonly isLeftOut: (kind: 'group' | 'user', id: number) => boolean
  readonly onPick: (kind: 'group' | 'user', id: number) => void
  readonly onClose: () => void
}

/** Groups and people to whom a permission may be given; Enter takes the first one found. */
export function PickGrant({ anchor, label, isLeftOut, onPick, onClose }: PickGrantProps) {
  watch('user', 'group')
  const [words, setWords] = useState('')
  const found = choices(words).filter(({ kind, id }) => !isLeftOut(kind, id))
  const pick = ({ kind, id }: Choice) => {
    onPick(kind, id)
    onClose()
  }
  return (
    <Popover anchor={anchor} label={label} role="dialog" class="pick-grant" onClose={onClose}>
      <input
        class="field"
        type="search"
        aria-label={s.permissions.find}
        placeholder={s.permissions.find}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !found[0]) return
          event.preventDefault()
          pick(found[0])
        }}
      />
      {found.length === 0 && <p class="setting-nothing">{t.people.nobody}</p>}
      <ul>
        {found.slice(0, SHOWN_CHOICES).map((choice) => (
          <li key={`${choice.kind} ${choice.id}`}>
            <button type="button" class="menu-item" onClick={() => pick(choice)}>
              {choice.kind === 'group' ? (
                <Icon name="people" />
              ) : (
                <Avatar url={choice.picture} name={choice.name} size={20} />
              )}
              <span class="one-line">{choice.name}</span>
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  )
}

interface Choice {
  readonly kind: 'group' | 'user'
  readonly id: number
  readonly name: string
  readonly picture?: string | null | undefined
}

/** Returns groups of people's own making and open accounts with these words, groups first. */
function choices(words: string): readonly Choice[] {
  const groups = [...state.groups.values()]
    .filter(({ is_system_group, deactivated }) => !is_system_group && !deactivated)
    .filter(({ name }) => hasWords(name.toLowerCase(), words))
    .map(({ id, name }): Choice => ({ kind: 'group', id, name: `@${name}` }))
  const people = [...state.users.values()]
    .filter((user) => user.is_active && !user.is_system_bot && isUserNamed(user, words))
    .map(
      ({ user_id, full_name, avatar_url }): Choice => ({
        kind: 'user',
        id: user_id,
        name: full_name,
        picture: avatar_url,
      }),
    )
  const byName = (a: Choice, b: Choice) => a.name.localeCompare(b.name)
  return [...groups.sort(byName), ...people.sort(byName)]
}
