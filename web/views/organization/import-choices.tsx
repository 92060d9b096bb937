import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import {
  type ChoiceType,
  decideImport,
  type ImportChoice,
  loadChoices,
  type ReadImport,
} from '../../actions/imports.ts'
import { state, watch } from '../../chat.ts'
import { s } from '../../texts/settings.ts'
import { Button } from '../../ui/button.tsx'
import { TextRow } from '../../ui/setting-row.tsx'
import { ActButton } from '../../ui/use-action.tsx'
import { refusalOf } from '../settings/fetched.tsx'

interface ChoicesProps {
  readonly of: ReadImport
  readonly onChange: () => Promise<void>
}

/** The mapping of people to accounts here. */
export function UserChoices({ of, onChange }: ChoicesProps) {
  watch('user')
  const here = (areBots: boolean) =>
    [...state.users.values()]
      .filter(({ is_bot, is_system_bot }) => is_bot === areBots && !is_system_bot)
      .map(({ user_id, full_name }): Target => [user_id, full_name])
  const [people, bots] = [here(false), here(true)]
  const { users } = of.mapping
  return (
    <ChoiceList of={of} type="user" title={s.imports.people} hint={s.imports.peopleHint}>
      {(choice) => (
        <Choice
          key={choice.id}
          of={choice}
          chosen={users[choice.id]}
          here={choice.kind === 'bot' ? bots : people}
          nothing={s.imports.newAccount}
          onSave={(target) =>
            save(decideImport(of.id, { users: withTarget(users, choice.id, target) }), onChange)
          }
        />
      )}
    </ChoiceList>
  )
}

/** The mapping of channels to channels here. */
export function ChannelChoices({ of, onChange }: ChoicesProps) {
  watch('channel')
  const targets = (channels: readonly { stream_id: number; name: string }[]) =>
    channels.map(({ stream_id, name }): Target => [stream_id, `#${name}`])
  const channelsHere = [...state.channels.values()]
  const here = targets(channelsHere)
  // A private one goes into a private one alone.
  const privateHere = targets(channelsHere.filter(({ invite_only }) => invite_only))
  const { channels } = of.mapping
  return (
    <ChoiceList of={of} type="channel" title={s.imports.channels} hint={s.imports.channelsHint}>
      {(choice) => (
        <Choice
          key={choice.id}
          of={choice}
          chosen={channels[choice.id]}
          here={choice.kind === 'private' ? privateHere : here}
          nothing={s.imports.newChannel}
          onSave={(target) =>
            save(decideImport(of.id, { channels: withTarget(channels, choice.id, target) }), onChange)
          }
        />
      )}
    </ChoiceList>
  )
}

/** The names of fields of profiles, which some sources do not have. */
export function FieldChoices({ of, onChange }: ChoicesProps) {
  const { profile_fields: names } = of.mapping
  return (
    <ChoiceList of={of} type="profile_field" title={s.imports.fields}>
      {({ id, name, is_imported }) =>
        is_imported ? (
          <li key={id} class="item">
            <span class="item-main">
              {name}
              <span class="small soft">{s.imports.decided}</span>
            </span>
          </li>
        ) : (
          <li key={id}>
            <TextRow
              label={s.imports.fieldName(name)}
              value={names[id] ?? name}
              required
              onSave={(chosen) =>
                save(decideImport(of.id, { profile_fields: { ...names, [id]: chosen } }), onChange)
              }
            />
          </li>
        )
      }
    </ChoiceList>
  )
}

/** An existing thing: its id and name. */
type Target = readonly [id: number, name: string]

interface ChoiceListProps {
  readonly of: ReadImport
  readonly type: ChoiceType
  readonly title: string
  readonly hint?: string
  readonly children: (choice: ImportChoice) => ComponentChildren
}

/** A folded list, which is fetched page by page; nothing where the archive has none. */
function ChoiceList({ of: { id, report }, type, title, hint, children }: ChoiceListProps) {
  const [choices, setChoices] = useState<readonly ImportChoice[]>()
  const [isLast, setLast] = useState(false)
  const more = () =>
    refusalOf(
      loadChoices(id, type, choices?.at(-1)?.id).then((page) => {
        setChoices([...(choices ?? []), ...page.choices])
        setLast(page.is_last_page)
      }),
    )
  if (!report.records.some(({ name }) => name === type)) return null
  return (
    <details class="import-choices" onToggle={(event) => event.currentTarget.open && !choices && more()}>
      <summary>{title}</summary>
      {hint && <p class="setting-hint">{hint}</p>}
      <ul class="items">{choices?.map(children)}</ul>
      {choices && !isLast && <ActButton onAct={more}>{s.imports.more}</ActButton>}
    </details>
  )
}

interface ChoiceProps {
  readonly of: ImportChoice
  readonly chosen: number | undefined
  readonly here: readonly Target[]
  readonly nothing: string
  readonly onSave: (target: number | undefined) => Promise<string | undefined>
}

/** A thing that an earlier import has brought stays where it is. */
function Choice({ of, chosen, here, nothing, onSave }: ChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  const target = of.is_imported ? of.target_id : (chosen ?? of.target_id)
  return (
    <li class="item">
      <span class="item-main">
        <span>
          {of.name}
          {!isOpen && <span class="soft"> {s.imports.becomes(nameOf(target, here, nothing))}</span>}
        </span>
        {of.email !== null && <span class="small soft">{of.email}</span>}
        {of.clash !== null && target === null && (
          <span class="small soft">{s.imports.clashes[of.clash]}</span>
        )}
        {of.is_imported && <span class="small soft">{s.imports.decided}</span>}
      </span>
      {of.is_imported ? null : isOpen ? (
        <Targets {...{ of, chosen, here, nothing, onSave }} />
      ) : (
        <Button label={s.imports.changeOf(of.name)} onClick={() => setOpen(true)}>
          {s.imports.change}
        </Button>
      )}
    </li>
  )
}

/** The list of existing things is made for one choice at a time, since it may be long. */
function Targets({ of, chosen, here, nothing, onSave }: ChoiceProps) {
  const [refusal, setRefusal] = useState('')
  const sorted = here.toSorted(([, one], [, other]) => one.localeCompare(other))
  const byItself = nameOf(of.target_id, here, nothing)
  return (
    <span class="item-end">
      <select
        class="field"
        aria-label={s.imports.changeOf(of.name)}
        value={String(chosen ?? '')}
        onChange={async (event) => {
          const { value } = event.currentTarget
          setRefusal((await onSave(value === '' ? undefined : Number(value))) ?? '')
        }}
      >
        <option value="" dir="auto">
          {byItself}
        </option>
        {sorted.map(([id, name]) => (
          <option key={id} value={String(id)} dir="auto">
            {name}
          </option>
        ))}
      </select>
      {refusal !== '' && <span class="refusal">{refusal}</span>}
    </span>
  )
}

/** Returns what a choice becomes. Archived channels and system bots are here, but not in the list of what may be chosen. */
function nameOf(target: number | null, here: readonly Target[], nothing: string): string {
  if (target === null) return nothing
  return here.find(([id]) => id === target)?.[1] ?? s.imports.known
}

function withTarget(
  all: Readonly<Record<string, number>>,
  id: string,
  target: number | undefined,
): Record<string, number> {
  const { [id]: _before, ...others } = all
  return target === undefined ? others : { ...others, [id]: target }
}

async function save(action: Promise<void>, onChange: () => Promise<void>): Promise<string | undefined> {
  const refusal = await refusalOf(action)
  if (refusal === undefined) await onChange()
  return refusal
}
